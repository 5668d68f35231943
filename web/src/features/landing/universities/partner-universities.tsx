import Skeleton from '@mui/material/Skeleton'
import { styled, useTheme } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import { listUniversities } from '@portal/contracts/catalog/http'
import { loadForPage } from '../../../lib/load-module.ts'
import { call } from '../../../lib/http.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { ColumnsIllustration } from '../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { PartnerGrid } from './partner-grid.tsx'

/** A phone never loads it. */
const PartnerCarousel = lazy(async () => {
  const { PartnerCarousel: Slides } = await loadForPage(() => import('./partner-carousel.tsx'))
  return { default: Slides }
})

const loadPartners = (signal: AbortSignal) => call(listUniversities, { signal })

/** Reserves the height of the carousel with its controls, or of the grid on a phone. */
const ReservedSpace = styled('div')(({ theme }) => ({
  minHeight: theme.spacing(43),
  [theme.breakpoints.down('sm')]: { minHeight: theme.spacing(85) },
}))

/** A carousel; on a phone, where it shows little more than one name at a time, a grid. */
export const PartnerUniversities = () => {
  const isPhone = useMedia(useTheme().breakpoints.down('sm').replace('@media ', ''))
  const Partners = isPhone ? PartnerGrid : PartnerCarousel
  const { state, reload } = useRequestQuery({ key: ['partners'], request: loadPartners })
  return (
    <ReservedSpace>
      {state.kind === 'loading' && (
        <DelayedFadeIn role="status" aria-label="Loading universities">
          <Skeleton variant="rounded" height={112} />
        </DelayedFadeIn>
      )}
      {state.kind === 'failed' && (
        <ErrorState text="Failed to load universities. Please try again." onRetry={() => void reload()} />
      )}
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState illustration={<ColumnsIllustration />} text="The first partners will be named here soon." />
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <Suspense>
          <Partners partners={state.data} />
        </Suspense>
      )}
    </ReservedSpace>
  )
}
