import { styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import { About } from '../../../features/landing/about.tsx'
import { Hero } from '../../../features/landing/hero.tsx'
import { KeyFeatures } from '../../../features/landing/key-features.tsx'
import { useSession } from '../../../lib/session.ts'
import { productName } from '../../../ui/page-title.tsx'

/** Neither is needed for a visitor's first screen. A learner's waits for the greeting, lest the cover move when it comes. */
const Greeting = lazy(async () => ({ default: (await import('./greeting.tsx')).Greeting }))
const RestOfHome = lazy(async () => ({ default: (await import('./rest-of-home.tsx')).RestOfHome }))

/** The room of the rest, while it is on its way. */
const RestRoom = styled('div')({ minHeight: '300svh' })

const programsAt = '#programs'

export const HomePage = () => {
  const isSignedIn = useSession() !== null
  return (
    <>
      {isSignedIn ? <Greeting /> : <title>{`A Minor beside your degree · ${productName}`}</title>}
      <Hero level={isSignedIn ? 'h2' : 'h1'} browseAt={programsAt} {...(isSignedIn ? {} : { joinAt: '/register' })} />
      <About />
      <KeyFeatures />
      <Suspense fallback={<RestRoom />}>
        <RestOfHome />
      </Suspense>
    </>
  )
}
