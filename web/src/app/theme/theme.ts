import { createTheme } from '@mui/material/styles'
import type { Shadows } from '@mui/material/styles'
import { components } from './components.ts'
import { paletteOf } from './palette.ts'
import { breakpoints, dark, light, measure, motion, posters, radii, sizes, spaceUnit } from './tokens.ts'
import { typography } from './typography.ts'

/** Both are also in public/colour-scheme.js, which sets the scheme before the first paint. */
export const schemeAttribute = 'data-scheme'
export const modeStorageKey = 'colour-mode'

const floating = 'var(--portal-palette-portal-shadow)'
const shadows: Shadows = [
  'none',
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
  floating,
]

export const theme = createTheme({
  cssVariables: {
    cssVarPrefix: 'portal',
    colorSchemeSelector: schemeAttribute,
    // The measures are the same in both schemes: they are read as plain values.
    shouldSkipGeneratingVar: ([key]) => key === 'portal',
  },
  portal: { radii, sizes, motion, posters, measure },
  colorSchemes: { light: { palette: paletteOf(light) }, dark: { palette: paletteOf(dark) } },
  spacing: spaceUnit,
  shape: { borderRadius: radii.control },
  breakpoints: { values: { ...breakpoints } },
  typography,
  shadows,
  transitions: {
    duration: {
      shortest: motion.quickMs,
      shorter: motion.quickMs,
      short: motion.steadyMs,
      standard: motion.steadyMs,
      complex: motion.slowMs,
      enteringScreen: motion.steadyMs,
      leavingScreen: motion.quickMs,
    },
    easing: { easeOut: motion.easing },
  },
  components,
})
