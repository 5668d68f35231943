import { styled } from '@mui/material/styles'
import { BottomBar } from '../../src/app/layouts/bottom-bar.tsx'
import { Hero } from '../../src/features/landing/hero.tsx'
import { TopBar } from '../../src/features/landing/top-bar.tsx'
import { learnerItems } from './learner-shells.tsx'

const Frame = styled('div')({ display: 'flex', flexDirection: 'column', minHeight: '100dvh' })
const Content = styled('div')({ flex: 1 })

/** The first screen of the landing page for visitors. */
export const LandingShell = () => (
  <Frame>
    <TopBar isSignedIn={false} />
    <Content>
      <Hero level="h1" joinAt="/register" browseAt="#programs" />
    </Content>
    <BottomBar label="Main" items={learnerItems} hidesOnWideScreens />
  </Frame>
)
