import { createTheme } from '@mui/material/styles'
import type { Shadows } from '@mui/material/styles'
import { components } from './components.ts'
import { paletteOf } from './palette.ts'
import { breakpoints, dark, light, measure, motion, pieces, posters, radii, sizes, spaceUnit } from './tokens.ts'
import { typography } from './typography.ts'

/** Both are also in index.html, which sets the scheme before the first paint. */
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

const neverVariables: ReadonlySet<string> = new Set([
  'portal',
  'breakpoints',
  'colorSchemeSelector',
  'cssVarPrefix',
  'direction',
  'focusVisible',
  'mixins',
  'motion',
  'overlays',
  'rootSelector',
  'transitions',
  'typography',
  'unstable_sxConfig',
])
/** Lint lets nobody import these, as their colours would be missing. */
const unusedComponents: ReadonlySet<string> = new Set([
  'Alert',
  'AppBar',
  'Avatar',
  'Chip',
  'LinearProgress',
  'Slider',
  'SnackbarContent',
  'SpeedDialAction',
  'StepConnector',
  'StepContent',
])

export const theme = createTheme({
  cssVariables: {
    cssVarPrefix: 'portal',
    colorSchemeSelector: schemeAttribute,
    // No style reads these as variables: measures, which are the same in both schemes, and the colours of components that no
    // screen has.
    shouldSkipGeneratingVar: ([group = '', part = '']) => neverVariables.has(group) || unusedComponents.has(part),
  },
  portal: { radii, sizes, motion, posters, pieces, measure },
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
