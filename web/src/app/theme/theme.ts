import '@mui/material/themeCssVarsAugmentation'
import { createTheme, type PaletteOptions, type Shadows, type TypographyVariantsOptions } from '@mui/material/styles'
import { components } from './components.ts'
import {
  breakpoints,
  dark,
  fonts,
  light,
  measure,
  motion,
  pieces,
  posters,
  radii,
  shortWindow,
  sizes,
  spaceUnit,
  type Colors,
} from './tokens.ts'

/** px to rem, so that text follows the font size of the browser. */
const rem = (px: number) => `${px / 16}rem`

const display = (sizePx: number, linePx: number, weight: number) => ({
  fontFamily: fonts.display,
  fontSize: rem(sizePx),
  lineHeight: linePx / sizePx,
  fontWeight: weight,
  letterSpacing: '-0.018em',
  textWrap: 'balance' as const,
  // A title can be one long word.
  overflowWrap: 'anywhere' as const,
})

const text = (sizePx: number, linePx: number, weight = 400) => ({
  fontFamily: fonts.text,
  fontSize: rem(sizePx),
  lineHeight: linePx / sizePx,
  fontWeight: weight,
  letterSpacing: 0,
})

/** Text of paragraphs, without a single word on the last line. */
const running = (sizePx: number, linePx: number) => ({ ...text(sizePx, linePx), textWrap: 'pretty' as const })

/** The display font is for titles and numerals only. Body text is 16/24, and nothing is smaller than 13. */
const typography: TypographyVariantsOptions = {
  fontFamily: fonts.text,
  fontWeightMedium: 600,
  fontWeightBold: 700,
  h1: display(30, 36, 650),
  h2: display(22, 28, 650),
  h3: display(18, 24, 650),
  h4: text(16, 24, 650),
  h5: text(16, 24, 650),
  h6: text(16, 24, 650),
  subtitle1: text(16, 24, 600),
  subtitle2: text(14, 20, 600),
  body1: running(16, 24),
  body2: running(14, 20),
  button: { ...text(16, 24, 600), textTransform: 'none' },
  caption: text(13, 18),
  overline: { ...text(13, 18, 600), textTransform: 'none' },
}

/** The portal's additions to MUI's palette. Use `theme.vars.palette.portal.…`, which follows the color scheme. */
type PortalPalette = Pick<
  Colors,
  'backdrop' | 'edge' | 'accentSoft' | 'scrim' | 'shadow' | 'tones' | 'states' | 'brand'
>

/** Sizes and durations for styles outside this folder, such as `theme.portal.sizes.target`. */
const measures = { codeFont: fonts.code, radii, sizes, motion, posters, pieces, measure, shortWindow }
type PortalMeasures = typeof measures

declare module '@mui/material/styles' {
  interface Theme {
    portal: PortalMeasures
  }
  interface ThemeOptions {
    portal?: PortalMeasures
  }
  interface Palette {
    portal: PortalPalette
  }
  interface PaletteOptions {
    portal?: PortalPalette
  }
}

/** Maps the portal's colors to MUI's palette. */
const paletteOf = (colors: Colors): PaletteOptions => {
  const { backdrop, edge, accentSoft, scrim, shadow, tones, states, brand } = colors
  return {
    primary: {
      main: colors.accent,
      light: colors.accent,
      dark: colors.accentPressed,
      contrastText: colors.onAccent,
    },
    secondary: { main: colors.ink, light: colors.ink, dark: colors.ink, contrastText: colors.paper },
    error: { main: tones.red.text, dark: colors.dangerPressed, contrastText: tones.red.background },
    warning: { main: tones.yellow.text, contrastText: tones.yellow.background },
    success: { main: tones.green.text, contrastText: tones.green.background },
    info: { main: tones.blue.text, contrastText: tones.blue.background },
    background: { default: colors.paper, paper: colors.surface },
    text: { primary: colors.ink, secondary: colors.inkSoft },
    divider: colors.hairline,
    portal: { backdrop, edge, accentSoft, scrim, shadow, tones, states, brand },
  }
}

/** Both are also in index.html, which sets the scheme before the first paint. */
const schemeAttribute = 'data-scheme'
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

export const theme = createTheme({
  cssVariables: {
    cssVarPrefix: 'portal',
    colorSchemeSelector: schemeAttribute,
    // Skip variables that no style reads, because they are the same in both schemes.
    shouldSkipGeneratingVar: ([group = '']) => neverVariables.has(group),
  },
  portal: measures,
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
