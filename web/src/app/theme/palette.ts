import '@mui/material/themeCssVarsAugmentation'
import type { PaletteOptions } from '@mui/material/styles'
import type { motion, pieces, posters, radii, sizes, Colours, Cover, StateName, Tone, ToneName } from './tokens.ts'

/** What the portal adds to MUI's palette. Reached as `theme.vars.palette.portal.…` so that it follows the scheme. */
export type PortalPalette = {
  readonly ground: string
  readonly edge: string
  readonly accentSoft: string
  readonly scrim: string
  readonly shadow: string
  readonly tones: Readonly<Record<ToneName, Tone>>
  readonly states: Readonly<Record<StateName, string>>
  readonly cover: Cover
}

/** The measures, for styles outside this folder: `theme.portal.sizes.target`. */
export type PortalMeasures = {
  readonly radii: typeof radii
  readonly sizes: typeof sizes
  readonly motion: typeof motion
  readonly posters: typeof posters
  readonly pieces: typeof pieces
  readonly measure: string
}

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

/** MUI's names for our colours. */
export const paletteOf = (colours: Colours): PaletteOptions => ({
  primary: {
    main: colours.accent,
    light: colours.accent,
    dark: colours.accentPressed,
    contrastText: colours.onAccent,
  },
  secondary: { main: colours.ink, light: colours.ink, dark: colours.ink, contrastText: colours.paper },
  error: { main: colours.tones.red.text, contrastText: colours.tones.red.ground },
  warning: { main: colours.tones.yellow.text, contrastText: colours.tones.yellow.ground },
  success: { main: colours.tones.green.text, contrastText: colours.tones.green.ground },
  info: { main: colours.tones.blue.text, contrastText: colours.tones.blue.ground },
  background: { default: colours.paper, paper: colours.surface },
  text: { primary: colours.ink, secondary: colours.inkSoft },
  divider: colours.hairline,
  portal: {
    ground: colours.ground,
    edge: colours.edge,
    accentSoft: colours.accentSoft,
    scrim: colours.scrim,
    shadow: colours.shadow,
    tones: colours.tones,
    states: colours.states,
    cover: colours.cover,
  },
})
