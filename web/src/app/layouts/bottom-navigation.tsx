import { UnreadBadge } from '../../features/notifications/components/unread-badge.tsx'
import { landingPage } from '../../lib/post-login-redirect.ts'
import { useSession } from '../../lib/session.ts'
import { BellIcon, HomeIcon, ProfileIcon, ProgramIcon } from '../../ui/icons.tsx'
import { OfflineNotice } from '../offline-notice.tsx'
import { BottomBar, type BarItem } from './bottom-bar.tsx'

/** Home is the landing page of the role: faculty members have a page of their own. */
const homeItem = (to: string): BarItem => ({
  to,
  label: 'Home',
  icon: HomeIcon,
  isActive: (path) => path === to,
})

/** Faculty members have no programs of their own. */
const programItem = (isFaculty: boolean): BarItem => ({
  to: '/my-program',
  label: isFaculty ? 'Programs' : 'My Program',
  icon: ProgramIcon,
  isActive: (path) => path.includes('program'),
})

const otherItems: readonly BarItem[] = [
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
    isActive: (path) => path.startsWith('/profile') || path === '/edit-profile',
  },
]

type BottomNavigationProps = {
  /** Three of the four places are for users, so visitors see it on a phone only. */
  readonly hidesOnWideScreens?: boolean
}

export const BottomNavigation = ({ hidesOnWideScreens = false }: BottomNavigationProps) => {
  const session = useSession()
  const home = homeItem(session ? landingPage(session.user.role) : '/home')
  return (
    <BottomBar
      label="Main"
      items={[home, programItem(session?.user.role === 'faculty'), ...otherItems]}
      notice={<OfflineNotice />}
      hidesOnWideScreens={hidesOnWideScreens}
    />
  )
}
