import Typography from '@mui/material/Typography'
import { styled, type Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { BottomBar, type BarItem } from '../../src/app/layouts/bottom-bar.tsx'
import { TopBar } from '../../src/features/landing/top-bar.tsx'
import { BellIcon, HomeIcon, ProfileIcon, ProgramIcon } from '../../src/ui/icons.tsx'
import { Block, Title } from './outlines.tsx'

const isAt =
  (...paths: readonly string[]) =>
  (path: string) =>
    paths.includes(path)

/** As in src/app/layouts/bottom-navigation.tsx, without what depends on the session. */
export const learnerItems: readonly BarItem[] = [
  { to: '/home', label: 'Home', icon: HomeIcon, isActive: isAt('/home') },
  { to: '/my-program', label: 'My Program', icon: ProgramIcon, isActive: isAt('/my-program') },
  { to: '/notification', label: 'Notification', icon: BellIcon, isActive: isAt('/notification') },
  { to: '/profile', label: 'Profile', icon: ProfileIcon, isActive: isAt('/profile') },
]

const Backdrop = styled('div')(({ theme }) => ({
  [theme.breakpoints.up('sm')]: { background: theme.vars.palette.portal.backdrop },
}))

const Column = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  maxWidth: theme.portal.sizes.column,
  minHeight: '100dvh',
  marginInline: 'auto',
  background: theme.vars.palette.background.default,
}))

const Content = styled('div')(({ theme }) => ({
  flex: 1,
  padding: theme.spacing(5, 5, 8),
  paddingTop: `calc(env(safe-area-inset-top) + ${theme.spacing(5)})`,
}))

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

const learnerPage = (content: ReactNode) => (
  <Backdrop>
    <Column>
      <Content>{content}</Content>
      <BottomBar label="Main" items={learnerItems} />
    </Column>
  </Backdrop>
)

/** Any page of a learner: a title and two blocks, as its own placeholder (src/ui/skeletons.tsx). */
export const LearnerShell = () =>
  learnerPage(
    <>
      <Title>
        <Block size={['55%', 36]} />
      </Title>
      <Stack>
        <Block size={['100%', 96]} />
        <Block size={['100%', 96]} />
      </Stack>
    </>,
  )

const gray = (theme: Theme) => `color-mix(in srgb, ${theme.vars.palette.text.primary} 11%, transparent)`
const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/**
 * As tall as a notification (src/features/notifications/components/notification-list.tsx). The script of the shell writes the
 * first notifications into it (fill-inbox.ts); until then, its parts are gray boxes.
 */
const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplate: '24px 20px 24px / minmax(0, 1fr)',
  alignItems: 'center',
  rowGap: theme.spacing(1),
  height: 115,
  margin: theme.spacing(0, -5),
  padding: theme.spacing(4, 5, 0),
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.text.secondary,
  '& > *': { ...cut, height: '100%', fontSize: '0.875rem' },
  '& > b': { fontSize: '1rem', fontWeight: 500 },
  '& > p': { margin: 0 },
  // The gray boxes, in the same place as the text that replaces them.
  '& > :empty': { background: `linear-gradient(${gray(theme)} 0 0) left / var(--box) no-repeat` },
  '& > b:empty': { '--box': '62% 18px' },
  '& > p:empty': { '--box': '88% 14px' },
  '& > span:empty': { '--box': '112px 22px' },
  '&.unread': {
    background: theme.vars.palette.background.paper,
    boxShadow: `inset 3px 0 ${theme.vars.palette.primary.main}`,
  },
  '&.unread > b': { fontWeight: 700, color: theme.vars.palette.text.primary },
}))

const Rows = styled('div')(({ theme }) => ({
  margin: theme.spacing(0, -5),
  padding: theme.spacing(0, 5),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const rows = Array.from({ length: 6 }, (_, n) => (
  <Row key={n}>
    <b />
    <p />
    <span />
  </Row>
))

export const InboxShell = () =>
  learnerPage(
    <>
      <Title>
        <Typography variant="h1">Notifications</Typography>
      </Title>
      <Rows data-rows="">{rows}</Rows>
    </>,
  )

const HomeFrame = styled('div')({ display: 'flex', flexDirection: 'column', minHeight: '100dvh' })

const Band = styled('div')(({ theme }) => ({
  flex: 1,
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  marginInline: 'auto',
  padding: theme.spacing(2, 5, 12),
  [theme.breakpoints.up('md')]: { padding: theme.spacing(8, 10, 16) },
}))

/** The home of a learner: the greeting, own programs, and the latest notifications. */
export const HomeShell = () => (
  <HomeFrame>
    <TopBar isSignedIn />
    <Band>
      <Title>
        <Block size={['min(75%, 320px)', 36]} />
      </Title>
      <Stack>
        <Block size={['100%', 132]} />
        <Block size={['100%', 132]} />
        <Block size={['100%', 132]} />
      </Stack>
    </Band>
    <BottomBar label="Main" items={learnerItems} />
  </HomeFrame>
)
