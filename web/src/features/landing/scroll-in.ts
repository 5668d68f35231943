import { keyframes } from '@emotion/react'

const rise = keyframes({ from: { transform: 'translateY(28px)' } })

/**
 * Moves with the reader's own scrolling, and not at all where the browser cannot tie it to that or the reader wants no motion.
 * Nothing is hidden by it: the page is whole without it.
 */
export const risesIn = {
  '@supports (animation-timeline: view())': {
    '@media (prefers-reduced-motion: no-preference)': {
      animation: `${rise} ease-out both`,
      animationTimeline: 'view()',
      animationRange: 'entry 0% entry 90%',
    },
  },
}
