import { styled, type Theme } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import { BellIcon, ProfileIcon, ProgramIcon } from '../../ui/icons.tsx'
import { DashboardIcon, UniversityIcon } from '../../ui/page-icons.tsx'
import type { BarItem } from './bottom-bar.tsx'

export const Frame = styled('div')(({ theme }) => ({
  // The bottom bar takes the rest of the window.
  minHeight: [
    'calc(100vh - var(--bottom-bar) - env(safe-area-inset-bottom) - 1px)',
    'calc(100dvh - var(--bottom-bar) - env(safe-area-inset-bottom) - 1px)',
  ],
  display: 'flex',
  flexDirection: 'column',
  [theme.breakpoints.up('md')]: {
    minHeight: ['100vh', '100dvh'],
    display: 'grid',
    gridTemplateColumns: `${theme.portal.sizes.rail}px minmax(0, 1fr)`,
  },
}))

/**
 * Cancels the scroll padding of the page for what is always in view: with it, the page scrolls to a control at the edge of
 * the window when that gets the focus.
 */
const alwaysInView = (theme: Theme, edge: 'top' | 'bottom') => {
  const padding = theme.portal.sizes.bottomBar + 16
  const [start, end] = edge === 'top' ? [-padding, padding] : [padding, -padding]
  return { [theme.breakpoints.up('md')]: { scrollMarginBlock: `${start}px ${end}px` } }
}

/** A sidebar on a desktop; on a phone, the brand and the account above the page. */
export const Rail = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  padding: theme.spacing(1, 3, 1, 5),
  paddingTop: `calc(env(safe-area-inset-top) + ${theme.spacing(1)})`,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.up('md')]: {
    position: 'sticky',
    top: 0,
    zIndex: theme.zIndex.appBar,
    flexDirection: 'column',
    alignItems: 'stretch',
    justifyContent: 'flex-start',
    height: ['100vh', '100dvh'],
    overflowY: 'auto',
    padding: theme.spacing(6, 4, 4),
    borderBottom: 'none',
    borderRight: `1px solid ${theme.vars.palette.divider}`,
  },
  '& a': alwaysInView(theme, 'top'),
  '& button': alwaysInView(theme, 'bottom'),
}))

export const Brand = styled(Link)(({ theme }) => ({
  ...theme.typography.h3,
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(2.5),
  minHeight: theme.portal.sizes.target,
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '& svg': { color: theme.vars.palette.primary.main },
  [theme.breakpoints.up('md')]: { margin: theme.spacing(-2.5, 2, 6) },
}))

/** The rest of the height separates the links from the account. */
export const Links = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(1),
  marginBottom: 'auto',
}))

export const Item = styled(Link)(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(3),
  minHeight: theme.portal.sizes.target,
  paddingInline: theme.spacing(3),
  fontWeight: 500,
  textDecoration: 'none',
  whiteSpace: 'nowrap',
  color: theme.vars.palette.text.secondary,
  outlineOffset: '-3px !important',
  borderRadius: theme.portal.radii.control,
  '&:hover': { color: theme.vars.palette.text.primary },
  '&[aria-current="page"]': {
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.background.paper,
    fontWeight: 700,
  },
  '& svg': { flex: 'none' },
  '&[aria-current="page"] svg': { color: theme.vars.palette.primary.main },
}))

/** Only tables and the send console are wider than a page of text. */
export const Content = styled('main')(({ theme }) => ({
  flex: 1,
  width: '100%',
  maxWidth: theme.portal.sizes.panel,
  padding: theme.spacing(5, 5, 12),
  [theme.breakpoints.up('md')]: { padding: theme.spacing(8, 10, 16) },
}))

/** This note is in view on each page, on a phone beside the brand. */
export const ZoneNote = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.text.secondary,
  [theme.breakpoints.down('md')]: { flex: 1, textAlign: 'right', marginInline: theme.spacing(2, 3) },
  [theme.breakpoints.up('md')]: { margin: theme.spacing(4, 3) },
}))

const isAt = (path: string) => (pathname: string) => pathname.startsWith(path)

export const adminItems: readonly BarItem[] = [
  {
    to: '/admin/dashboard',
    label: 'Dashboard',
    icon: DashboardIcon,
    // People are reached from its number of users.
    isActive: (pathname) => isAt('/admin/dashboard')(pathname) || isAt('/admin/people')(pathname),
  },
  { to: '/admin/programs', label: 'Programs', icon: ProgramIcon, isActive: isAt('/admin/programs') },
  { to: '/admin/universities', label: 'Universities', icon: UniversityIcon, isActive: isAt('/admin/universities') },
  { to: '/admin/notifications', label: 'Notifications', icon: BellIcon, isActive: isAt('/admin/notifications') },
  { to: '/admin/profile', label: 'Profile', icon: ProfileIcon, isActive: isAt('/admin/profile') },
]
