import { styled } from '@mui/material/styles'
import { Outlet } from 'react-router-dom'
import { Footer } from '../../features/landing/footer.tsx'
import { TopBar } from '../../features/landing/top-bar.tsx'
import { useSession } from '../../lib/session.ts'
import { SkipLink } from '../../ui/skip-link.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'

const Frame = styled('div')({ display: 'flex', flexDirection: 'column', minHeight: ['100vh', '100dvh'] })

/** At least one screen tall, so that the footer does not move while the page loads. */
const Content = styled('main')({ flex: 1, minHeight: ['100vh', '100svh'] })

/** The layout of the landing page: full width, with the bottom navigation. The router loads it together with its page. */
export const LandingLayout = () => {
  const isSignedIn = useSession() !== null
  return (
    <Frame>
      <SkipLink />
      <TopBar isSignedIn={isSignedIn} />
      <Content id="content" tabIndex={-1}>
        <Outlet />
      </Content>
      <Footer isSignedIn={isSignedIn} />
      <BottomNavigation hidesOnWideScreens={!isSignedIn} />
    </Frame>
  )
}
