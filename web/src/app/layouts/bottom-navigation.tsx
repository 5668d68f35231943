import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { UnreadBadge } from '../../features/notifications/components/unread-badge.tsx'
import { landingPage } from '../../lib/post-login-redirect.ts'
import { useSession } from '../../lib/session.ts'
import { BellIcon, HomeIcon, type IconProps, ProfileIcon, ProgramIcon } from '../../ui/icons.tsx'
import { OfflineNotice } from '../offline-notice.tsx'

/** Sticks to the bottom of the window, together with the offline notice. */
const StickyFooter = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  zIndex: theme.zIndex.appBar,
  '--below-notice': '0px',
}))

const Bar = styled('nav')(({ theme }) => ({
  display: 'grid',
  // Keep the items within reach of a thumb on wide pages, too.
  gridTemplateColumns: `repeat(4, minmax(0, ${theme.portal.sizes.column / 4}px))`,
  justifyContent: 'center',
  background: theme.vars.palette.background.paper,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  paddingBottom: 'env(safe-area-inset-bottom)',
  [theme.breakpoints.up(theme.portal.sizes.wideLanding)]: { '&[data-narrow-only]': { display: 'none' } },
}))

const Item = styled(Link)(({ theme }) => ({
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'center',
  gap: 2,
  minHeight: theme.portal.sizes.bottomBar,
  fontSize: theme.typography.caption.fontSize,
  lineHeight: 18 / 13,
  fontWeight: 500,
  textDecoration: 'none',
  color: theme.vars.palette.text.secondary,
  outlineOffset: '-4px !important',
  borderRadius: theme.portal.radii.control,
  '&[aria-current="page"]': { color: theme.vars.palette.primary.main, fontWeight: 700 },
  // Reserve the width of the bold label, so that nothing moves when the item becomes active.
  '& .label::after': {
    content: 'attr(data-text)',
    display: 'block',
    height: 0,
    overflow: 'hidden',
    visibility: 'hidden',
    fontWeight: 700,
  },
}))

const IconWithBadge = styled('span')({ position: 'relative', display: 'block', height: 24 })

type NavigationItem = {
  readonly to: string
  readonly label: string
  readonly icon: (props: IconProps) => ReactNode
  readonly isActive: (path: string) => boolean
  readonly badge?: ReactNode
}

/** Home is the landing page of the role: faculty members have a page of their own. */
const homeItem = (to: string): NavigationItem => ({
  to,
  label: 'Home',
  icon: HomeIcon,
  isActive: (path) => path === to,
})

const otherItems: readonly NavigationItem[] = [
  { to: '/my-program', label: 'My Program', icon: ProgramIcon, isActive: (path) => path.includes('program') },
  {
    to: '/notification',
    label: 'Notification',
    icon: BellIcon,
    isActive: (path) => path.startsWith('/notification'),
    badge: <UnreadBadge />,
  },
  {
    to: '/profile',
    label: 'Profile',
    icon: ProfileIcon,
    isActive: (path) => path === '/profile' || path === '/edit-profile',
  },
]

type BottomNavigationProps = {
  /** Three of the four places are for users, so visitors see it on a phone only. */
  readonly hidesOnWideScreens?: boolean
}

export const BottomNavigation = ({ hidesOnWideScreens = false }: BottomNavigationProps) => {
  const { pathname } = useLocation()
  const session = useSession()
  const home = homeItem(session ? landingPage(session.user.role) : '/home')
  return (
    <StickyFooter>
      <OfflineNotice />
      <Bar aria-label="Main" data-narrow-only={hidesOnWideScreens || undefined}>
        {[home, ...otherItems].map(({ to, label, icon: Glyph, isActive, badge }) => {
          const active = isActive(pathname)
          return (
            <Item key={to} to={to} aria-current={active ? 'page' : undefined}>
              <IconWithBadge>
                <Glyph weight={active ? 2.25 : 1.75} />
                {badge}
              </IconWithBadge>
              <span className="label" data-text={label}>
                {label}
              </span>
            </Item>
          )
        })}
      </Bar>
    </StickyFooter>
  )
}
