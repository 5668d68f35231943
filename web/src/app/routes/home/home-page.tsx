import { lazy, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { DeferredSections } from '../../../features/landing/deferred-sections.tsx'
import { Hero } from '../../../features/landing/hero.tsx'
import { loadForPage, loadInBackground } from '../../../lib/load-module.ts'
import { useSession } from '../../../lib/session.ts'
import { productName } from '../../../ui/page-title.tsx'
import { lazyPage } from '../../lazy-page.tsx'
import { AboutMinor } from './about-minor.tsx'

const isFreshDocument = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation')
  return !entry || !('type' in entry) || entry.type === 'navigate'
}

/** Whether the user has visited this history entry before: by Back, Forward or a reload. */
const useIsRevisit = (): boolean => {
  const { key } = useLocation()
  const navigation = useNavigationType()
  // The first entry of a document has the key 'default'.
  const [isRevisit] = useState(() => navigation === 'POP' && (key !== 'default' || !isFreshDocument()))
  return isRevisit
}

/** A visitor's first screen needs neither. */
const LearnerHome = lazyPage('LearnerHome', () => import('./learner-home.tsx'))
const ProgramList = lazy(async () => {
  const { ProgramList: List } = await loadInBackground(() => loadForPage(() => import('./program-list.tsx')))
  return { default: List }
})

const ProgramLead = lazy(async () => {
  const { ProgramLead: Lead } = await loadInBackground(() => loadForPage(() => import('./program-list.tsx')))
  return { default: Lead }
})

const programsAnchor = '#programs'

type LandingProps = { readonly isSignedIn: boolean; readonly isRevisit: boolean }

const Landing = ({ isSignedIn, isRevisit }: LandingProps) => (
  <>
    <Hero level={isSignedIn ? 'h2' : 'h1'} browseAt={programsAnchor} {...(isSignedIn ? {} : { joinAt: '/register' })} />
    <DeferredSections isRevisit={isRevisit} programs={<ProgramList />} programsLead={<ProgramLead />} />
  </>
)

/** The landing page. For users it is folded below their own programs and notifications. */
export const HomePage = () => {
  const isSignedIn = useSession() !== null
  const isRevisit = useIsRevisit()
  const landing = <Landing isSignedIn={isSignedIn} isRevisit={isRevisit} />
  if (isSignedIn)
    return (
      <>
        <LearnerHome />
        <AboutMinor isRevisit={isRevisit}>{landing}</AboutMinor>
      </>
    )
  return (
    <>
      <title>{`Add a Minor to your degree · ${productName}`}</title>
      {landing}
    </>
  )
}
