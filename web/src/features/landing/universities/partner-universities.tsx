import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { listUniversities } from '@portal/contracts/catalog/http'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { ColumnsIllustration } from '../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { Carousel } from '../carousel/carousel.tsx'
import { Crest } from './crest.tsx'

const loadPartners = (signal: AbortSignal) => call(listUniversities, { signal })

/** Reserves the height of the carousel with its controls. */
const ReservedSpace = styled('div')(({ theme }) => ({
  minHeight: theme.spacing(43),
}))

const Partner = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(5),
  height: theme.spacing(28),
  paddingInline: theme.spacing(0, 8),
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
  '& .name': {
    ...theme.typography.h3,
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 3,
    overflow: 'hidden',
    lineHeight: 1.2,
    userSelect: 'none',
  },
}))

export const PartnerUniversities = () => {
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
        <Carousel
          label="Partner universities, one by one"
          items={state.data}
          keyOf={({ _id }) => _id}
          nameOf={({ name }) => name}
          slideWidth="min(max(280px, 25%), 82%)"
        >
          {({ name }) => (
            <Partner>
              <Crest name={name} />
              <span className="name">{name}</span>
            </Partner>
          )}
        </Carousel>
      )}
    </ReservedSpace>
  )
}
