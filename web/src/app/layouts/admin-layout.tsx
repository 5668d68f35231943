import { styled } from '@mui/material/styles'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'
import { Logo } from '../../ui/brand.tsx'
import { BellIcon, DashboardIcon, type IconProps, ProfileIcon, ProgramIcon, UniversityIcon } from '../../ui/icons.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { OfflineNotice } from '../offline-notice.tsx'

const Frame = styled('div')(({ theme }) => ({
  minHeight: '100dvh',
  // Sticky elements stay below the bar: the brand, the links and their margins.
  '--bar-height': `calc(env(safe-area-inset-top) + ${2 * theme.portal.sizes.target + 5}px)`,
  [theme.breakpoints.up('md')]: {
    display: 'grid',
    gridTemplateColumns: `${theme.portal.sizes.rail}px minmax(0, 1fr)`,
    '--bar-height': '0px',
  },
}))

/** A sidebar on a desktop; on a phone, a top bar whose links scroll horizontally. */
const Rail = styled('header')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  zIndex: theme.zIndex.appBar,
  background: theme.vars.palette.background.default,
  paddingTop: 'env(safe-area-inset-top)',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.up('md')]: {
    height: '100dvh',
    padding: theme.spacing(6, 4),
    borderBottom: 'none',
    borderRight: `1px solid ${theme.vars.palette.divider}`,
  },
}))

const Brand = styled(Link)(({ theme }) => ({
  ...theme.typography.h3,
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(2.5),
  minHeight: theme.portal.sizes.target,
  margin: theme.spacing(1, 5, 0),
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.text.primary,
  textDecoration: 'none',
  '& svg': { color: theme.vars.palette.primary.main },
  [theme.breakpoints.up('md')]: { margin: theme.spacing(-2.5, 2, 6) },
}))

const Links = styled('nav')(({ theme }) => ({
  display: 'flex',
  overflowX: 'auto',
  scrollbarWidth: 'none',
  paddingInline: theme.spacing(2),
  [theme.breakpoints.up('md')]: { flexDirection: 'column', gap: theme.spacing(1), overflow: 'visible', padding: 0 },
}))

const Item = styled(Link)(({ theme }) => ({
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
  '&[aria-current="page"]': { color: theme.vars.palette.text.primary, fontWeight: 700 },
  '& svg': { flex: 'none' },
  '&[aria-current="page"] svg': { color: theme.vars.palette.primary.main },
  [theme.breakpoints.down('md')]: {
    '& svg': { display: 'none' },
    borderRadius: 0,
    '&[aria-current="page"]': { boxShadow: `inset 0 -2px 0 ${theme.vars.palette.primary.main}` },
  },
  [theme.breakpoints.up('md')]: {
    '&[aria-current="page"]': { background: theme.vars.palette.background.paper },
  },
}))

const Content = styled('main')(({ theme }) => ({
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  padding: theme.spacing(5, 5, 12),
  [theme.breakpoints.up('md')]: { padding: theme.spacing(8, 10, 16) },
}))

type NavigationItem = {
  readonly to: string
  readonly label: string
  readonly icon: (props: IconProps) => ReactNode
  /** Other paths of pages that are reached from it. */
  readonly alsoFor?: string
}

const navigationItems: readonly NavigationItem[] = [
  { to: '/admin/dashboard', label: 'Dashboard', icon: DashboardIcon },
  { to: '/admin/programs', label: 'Programs', icon: ProgramIcon },
  { to: '/admin/universities', label: 'Universities', icon: UniversityIcon },
  { to: '/admin/notifications', label: 'Notifications', icon: BellIcon, alsoFor: '/admin/people/' },
  { to: '/admin/profile', label: 'Profile', icon: ProfileIcon },
]

const isActive = ({ to, alsoFor }: NavigationItem, pathname: string): boolean =>
  pathname.startsWith(to) || (alsoFor !== undefined && pathname.startsWith(alsoFor))

/** On a phone the links are wider than the screen, so the active one is scrolled into view. */
const useActiveInView = (pathname: string) => {
  const links = useRef<HTMLElement>(null)
  useEffect(() => {
    links.current
      ?.querySelector(`[href="${pathname}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'auto' })
  }, [pathname])
  return links
}

export const AdminLayout = () => {
  const { pathname } = useLocation()
  const active = navigationItems.find((item) => isActive(item, pathname))?.to ?? ''
  const links = useActiveInView(active)
  return (
    <>
      <Frame>
        <SkipLink />
        <Rail>
          <Brand to="/admin/dashboard">
            <Logo size={24} />
            Admin Panel
          </Brand>
          <Links aria-label="Admin" ref={links}>
            {navigationItems.map(({ to, label, icon: Glyph }) => (
              <Item key={to} to={to} aria-current={to === active ? 'page' : undefined}>
                <Glyph size={20} weight={to === active ? 2.25 : 1.75} />
                {label}
              </Item>
            ))}
          </Links>
        </Rail>
        <Content id="content" tabIndex={-1}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </Content>
      </Frame>
      <OfflineNotice />
    </>
  )
}
