import { lazy } from 'react'
import { DeferredSections } from '../../../features/landing/deferred-sections.tsx'
import { Hero } from '../../../features/landing/hero.tsx'
import { loadForPage } from '../../../lib/load-for-page.ts'
import { loadPart } from '../../../lib/load-part.ts'
import { useSession } from '../../../lib/session.ts'
import { productName } from '../../../ui/page-title.tsx'
import { lazyPage } from '../../lazy-page.tsx'
import { useIsReturn } from './use-is-return.ts'

/** Neither is needed for a visitor's first screen. A learner's waits for the greeting, lest the cover move when it comes. */
const Greeting = lazyPage('Greeting', () => import('./greeting.tsx'))
const ProgramList = lazy(async () => {
  const { ProgramList: List } = await loadPart(() => loadForPage(() => import('./program-list.tsx')))
  return { default: List }
})

const programsAt = '#programs'

export const HomePage = () => {
  const isSignedIn = useSession() !== null
  const isReturn = useIsReturn()
  return (
    <>
      {isSignedIn ? <Greeting /> : <title>{`A Minor beside your degree · ${productName}`}</title>}
      <Hero level={isSignedIn ? 'h2' : 'h1'} browseAt={programsAt} {...(isSignedIn ? {} : { joinAt: '/register' })} />
      <DeferredSections isReturn={isReturn} programs={<ProgramList />} />
    </>
  )
}
