import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { keyframes } from '@emotion/react'
import { styled } from '@mui/material/styles'

const appear = keyframes({ from: { opacity: 0 } })

/** Fades in after a delay, so that a fast load shows no flash of a skeleton. */
export const DelayedFadeIn = styled('div')(({ theme }) => ({
  animation: `${appear} ${theme.portal.motion.quickMs}ms backwards`,
  animationDelay: `${theme.portal.motion.waitIndicatorDelayMs}ms`,
  // It replaces the outline of the page, which is visible already.
  '[data-outline] &': { animation: 'none' },
}))

/** In a dialog, where the size of what loads is not known. */
export const LoadingText = ({ children }: { children: string }) => (
  <DelayedFadeIn role="status">
    <Typography color="textSecondary">{children}</Typography>
  </DelayedFadeIn>
)

const Stack = styled(DelayedFadeIn)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

/** Placeholder while the code of a page loads. */
export const PageSkeleton = () => (
  <Stack role="status" aria-label="Loading">
    <Skeleton variant="rounded" width="55%" height={36} />
    <Skeleton variant="rounded" height={96} />
    <Skeleton variant="rounded" height={96} />
  </Stack>
)
