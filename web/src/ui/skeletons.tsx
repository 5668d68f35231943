import Skeleton from '@mui/material/Skeleton'
import { keyframes } from '@emotion/react'
import { styled } from '@mui/material/styles'

const appear = keyframes({ from: { opacity: 0 } })

/** Under 100 ms nothing flashes: what stands in for a page shows itself only after that. */
export const DelayedFadeIn = styled('div')(({ theme }) => ({
  animation: `${appear} ${theme.portal.motion.quickMs}ms ${theme.portal.motion.patienceMs}ms backwards`,
}))

const Stack = styled(DelayedFadeIn)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

/** A title and some lines, while a page's code is on its way. */
export const PageSkeleton = () => (
  <Stack role="status" aria-label="Loading">
    <Skeleton variant="rounded" width="55%" height={36} />
    <Skeleton variant="rounded" height={96} />
    <Skeleton variant="rounded" height={96} />
  </Stack>
)
