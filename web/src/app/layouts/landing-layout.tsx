import { styled } from '@mui/material/styles'
import { Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { InboxConnection } from '../../features/notifications/inbox-connection.tsx'
import { useSession } from '../../lib/session.ts'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { BottomBar } from './bottom-bar.tsx'

const Frame = styled('div')({ display: 'flex', flexDirection: 'column', minHeight: '100dvh' })
const Content = styled('main')({ flex: 1 })

/** The landing page: full width, with the learner's bottom bar. Open to visitors, too. */
export const LandingLayout = () => {
  const isSignedIn = useSession() !== null
  return (
    <Frame>
      {isSignedIn && <InboxConnection />}
      <SkipLink />
      <Content id="content" tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </Content>
      <BottomBar />
    </Frame>
  )
}
