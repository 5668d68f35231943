import { lazy, Suspense } from 'react'
import { BelowTheFold } from '../../../features/landing/below-the-fold.tsx'
import { Hero } from '../../../features/landing/hero.tsx'
import { Place } from '../../../features/landing/later.tsx'
import { useSession } from '../../../lib/session.ts'
import { productName } from '../../../ui/page-title.tsx'
import { programRoom } from './program-room.ts'
import { useIsReturn } from './use-is-return.ts'

/** Neither is needed for a visitor's first screen. A learner's waits for the greeting, lest the cover move when it comes. */
const Greeting = lazy(async () => ({ default: (await import('./greeting.tsx')).Greeting }))
const ProgramList = lazy(async () => ({ default: (await import('./program-list.tsx')).ProgramList }))

const programsAt = '#programs'

export const HomePage = () => {
  const isSignedIn = useSession() !== null
  const isReturn = useIsReturn()
  return (
    <>
      {isSignedIn ? <Greeting /> : <title>{`A Minor beside your degree · ${productName}`}</title>}
      <Hero level={isSignedIn ? 'h2' : 'h1'} browseAt={programsAt} {...(isSignedIn ? {} : { joinAt: '/register' })} />
      <BelowTheFold
        isReturn={isReturn}
        programs={
          <Suspense fallback={<Place room={programRoom} />}>
            <ProgramList />
          </Suspense>
        }
      />
    </>
  )
}
