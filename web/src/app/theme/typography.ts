import type { TypographyVariantsOptions } from '@mui/material/styles'
import { fonts } from './tokens.ts'

/** px to rem, so that type follows the reader's own setting. */
const rem = (px: number) => `${px / 16}rem`

const display = (sizePx: number, linePx: number, weight: number) => ({
  fontFamily: fonts.display,
  fontSize: rem(sizePx),
  lineHeight: linePx / sizePx,
  fontWeight: weight,
  letterSpacing: '-0.018em',
  textWrap: 'balance' as const,
})

const text = (sizePx: number, linePx: number, weight = 400) => ({
  fontFamily: fonts.text,
  fontSize: rem(sizePx),
  lineHeight: linePx / sizePx,
  fontWeight: weight,
  letterSpacing: 0,
})

/** Leaves no word alone on the last line. */
const running = (sizePx: number, linePx: number) => ({ ...text(sizePx, linePx), textWrap: 'pretty' as const })

/** Display for titles and numerals only; 16/24 for reading; nothing under 13. */
export const typography: TypographyVariantsOptions = {
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
