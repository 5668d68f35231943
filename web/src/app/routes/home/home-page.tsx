import { lazy, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { DeferredSections } from '../../../features/landing/deferred-sections.tsx'
import { Hero } from '../../../features/landing/hero.tsx'
import { loadForPage, loadInBackground } from '../../../lib/load-module.ts'
import { useSession } from '../../../lib/session.ts'
import { productName } from '../../../ui/page-title.tsx'
import { lazyPage } from '../../lazy-page.tsx'

const isFreshDocument = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation')
  return !entry || !('type' in entry) || entry.type === 'navigate'
}

/** Whether the user has visited this history entry before: by Back, Forward or a reload. */
export const useIsRevisit = (): boolean => {
  const { key } = useLocation()
  const navigation = useNavigationType()
  // The first entry of a document has the key 'default'.
  const [isRevisit] = useState(() => navigation === 'POP' && (key !== 'default' || !isFreshDocument()))
  return isRevisit
}

/** A visitor's first screen needs neither. A learner's waits for the greeting, so that the hero does not move. */
const Greeting = lazyPage('Greeting', () => import('./greeting.tsx'))
const ProgramList = lazy(async () => {
  const { ProgramList: List } = await loadInBackground(() => loadForPage(() => import('./program-list.tsx')))
  return { default: List }
})

const ProgramLead = lazy(async () => {
  const { ProgramLead: Lead } = await loadInBackground(() => loadForPage(() => import('./program-list.tsx')))
  return { default: Lead }
})

const programsAnchor = '#programs'

export const HomePage = () => {
  const isSignedIn = useSession() !== null
  const isRevisit = useIsRevisit()
  return (
    <>
      {isSignedIn ? <Greeting /> : <title>{`Add a Minor to your degree · ${productName}`}</title>}
      <Hero
        level={isSignedIn ? 'h2' : 'h1'}
        browseAt={programsAnchor}
        {...(isSignedIn ? {} : { joinAt: '/register' })}
      />
      <DeferredSections isRevisit={isRevisit} programs={<ProgramList />} programsLead={<ProgramLead />} />
    </>
  )
}
