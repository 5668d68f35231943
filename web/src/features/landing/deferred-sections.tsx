import { styled } from '@mui/material/styles'
import { lazy, startTransition, Suspense, useEffect, useState, type ReactNode } from 'react'
import { loadForPage, loadInBackground } from '../../lib/load-module.ts'
import { programs as programWords, testimonialsTitle, universities, whyTitle } from './content.ts'
import type { SectionContents } from './section-contents.tsx'
import { About, KeyFeatures, Questions, Section } from './sections.tsx'

/** px. */
type ResponsiveHeight = readonly [phone: number, tablet: number, desktop: number]

/** The approximate height of each section's content. */
const contentHeights = {
  week: [296, 386, 386],
  features: [681, 728, 430],
  programs: [978, 586, 309],
  universities: [340, 212, 228],
  reasons: [1305, 1453, 1363],
  testimonials: [507, 651, 447],
  contact: [400, 400, 400],
  faq: [570, 546, 546],
} as const satisfies Record<string, ResponsiveHeight>

/** The approximate height of each section. */
const sectionHeights = {
  about: [884, 917, 632],
  features: [683, 730, 432],
  programs: [1235, 832, 651],
  universities: [573, 427, 485],
  why: [1468, 1626, 1666],
  testimonials: [670, 823, 750],
  questions: [1226, 1187, 793],
} as const satisfies Record<string, ResponsiveHeight>

type HeightProps = { readonly height: ResponsiveHeight }
const notHeight = { shouldForwardProp: (name: string) => name !== 'height' }

/** Reserves the space of content that is still loading, so that nothing moves. */
const ReservedSpace = styled(
  'div',
  notHeight,
)<HeightProps>(({ theme, height: [phone, tablet, desktop] }) => ({
  minHeight: phone,
  [theme.breakpoints.up('sm')]: { minHeight: tablet },
  [theme.breakpoints.up('md')]: { minHeight: desktop },
}))

/**
 * The browser skips layout and painting of a section far from the viewport, and uses the estimated height until then. Links,
 * focus and find-in-page still reach its content.
 */
const SkippedOffScreen = styled(
  'div',
  notHeight,
)<HeightProps>(({ theme, height: [phone, tablet, desktop] }) => ({
  contentVisibility: 'auto',
  containIntrinsicBlockSize: `auto ${phone}px`,
  [theme.breakpoints.up('sm')]: { containIntrinsicBlockSize: `auto ${tablet}px` },
  [theme.breakpoints.up('md')]: { containIntrinsicBlockSize: `auto ${desktop}px` },
  '@media print': { contentVisibility: 'visible' },
}))

/** The longest sentence about the programs, invisible. */
export const ReservedLead = () => <span style={{ visibility: 'hidden' }}>{programWords.longestLead}</span>

/** The height of the sections until the first screen has been painted. */
const RestOfPage = styled('div')({ minHeight: ['300vh', '300svh'] })

const lazyContent = (name: keyof SectionContents) =>
  lazy(async () => {
    const { sectionContents } = await loadInBackground(() => loadForPage(() => import('./section-contents.tsx')))
    return { default: sectionContents[name] }
  })

const WeekFigure = lazyContent('week')
const FeatureList = lazyContent('features')
const PartnerUniversities = lazyContent('universities')
const Reasons = lazyContent('reasons')
const Testimonials = lazy(async () => {
  const { Testimonials: Clips } = await loadInBackground(() =>
    loadForPage(() => import('./testimonials/testimonials.tsx')),
  )
  return { default: Clips }
})
const ContactDetails = lazyContent('contact')
const Faq = lazyContent('faq')

/** Calls back after the first contentful paint of this document. Returns a function that cancels the callback. */
const afterFirstContentfulPaint = (callback: () => void): (() => void) => {
  const isReported = 'PerformanceObserver' in window && PerformanceObserver.supportedEntryTypes.includes('paint')
  if (!isReported || performance.getEntriesByName('first-contentful-paint').length > 0) {
    callback()
    return () => undefined
  }
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    callback()
  })
  observer.observe({ type: 'paint', buffered: true })
  return () => observer.disconnect()
}

/** False while the first screen is rendered, true once it has been painted. */
const useIsFirstScreenPainted = (): boolean => {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let cancel = (): void => undefined
    // Callbacks of a frame run before it is painted; a task that they schedule runs after it. The first paint of a document
    // takes longer on a slow phone, and requests made before it would delay it.
    const frame = requestAnimationFrame(() => {
      const timer = setTimeout(() => {
        cancel = afterFirstContentfulPaint(() => startTransition(() => setPainted(true)))
      })
      cancel = () => clearTimeout(timer)
    })
    return () => {
      cancelAnimationFrame(frame)
      cancel()
    }
  }, [])
  return isPainted
}

/** The time after which a page counts as read even if nothing happens. */
const readAfterMs = 4_000

const readerEvents = ['scroll', 'pointerdown', 'keydown'] as const

/** Whether the reader has done anything, or has had the time to. Until then, the files of late sections are not loaded. */
const useIsBeingRead = (): boolean => {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    if (isRead) return undefined
    const begin = () => startTransition(() => setRead(true))
    const timer = setTimeout(begin, readAfterMs)
    for (const event of readerEvents) window.addEventListener(event, begin, { once: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const event of readerEvents) window.removeEventListener(event, begin)
    }
  }, [isRead])
  return isRead
}

type DeferredSectionsProps = {
  /** The list of programs, which belongs to another feature. */
  readonly programs: ReactNode
  /** One sentence about all of them. */
  readonly programsLead: ReactNode
  /** Whether the user returns to a scroll position, which needs the real height of everything above it. */
  readonly isRevisit: boolean
}

/**
 * The landing page below its first screen. Its sections render after the first paint, and their content is loaded from another
 * file. For a returning user everything renders at once.
 */
export const DeferredSections = ({ programs, programsLead, isRevisit }: DeferredSectionsProps) => {
  const isPainted = useIsFirstScreenPainted()
  const isBeingRead = useIsBeingRead()
  const section = (name: keyof typeof sectionHeights, shown: ReactNode) =>
    isRevisit ? shown : <SkippedOffScreen height={sectionHeights[name]}>{shown}</SkippedOffScreen>
  const content = (name: keyof typeof contentHeights, shown: ReactNode) =>
    isRevisit ? shown : <Suspense fallback={<ReservedSpace height={contentHeights[name]} />}>{shown}</Suspense>

  const lead = (shown: ReactNode) => (isRevisit ? shown : <Suspense fallback={<ReservedLead />}>{shown}</Suspense>)

  if (!isPainted && !isRevisit) return <RestOfPage />
  return (
    <Suspense>
      {section('about', <About week={content('week', <WeekFigure />)} />)}
      {section('features', <KeyFeatures>{content('features', <FeatureList />)}</KeyFeatures>)}
      {section(
        'programs',
        <Section id="programs" title={programWords.title} lead={lead(programsLead)}>
          {content('programs', programs)}
        </Section>,
      )}
      {section(
        'universities',
        <Section id="universities" title={universities.title} lead={universities.text} background="surface">
          {content('universities', <PartnerUniversities />)}
        </Section>,
      )}
      {section(
        'why',
        <Section id="why" title={whyTitle}>
          {content('reasons', <Reasons />)}
        </Section>,
      )}
      {section(
        'testimonials',
        <Section id="testimonials" title={testimonialsTitle} background="backdrop">
          {isBeingRead || isRevisit ? (
            content('testimonials', <Testimonials />)
          ) : (
            <ReservedSpace height={contentHeights.testimonials} />
          )}
        </Section>,
      )}
      {section(
        'questions',
        <Questions contact={content('contact', <ContactDetails />)} faq={content('faq', <Faq />)} />,
      )}
    </Suspense>
  )
}
