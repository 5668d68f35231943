import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { renderToStaticMarkup } from 'react-dom/server'
import { theme } from '../src/app/theme/theme.ts'

/**
 * The theme's variables and what holds for every element, as the style sheet that MUI would make of them in the browser. It is the
 * same for everybody, and making it takes a phone a tenth of a second in which it shows nothing.
 */
export const groundStyles = (): string => {
  const markup = renderToStaticMarkup(
    <ThemeProvider theme={theme} noSsr>
      <CssBaseline enableColorScheme />
    </ThemeProvider>,
  )
  const sheets = [...markup.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, sheet = '']) => sheet)
  if (sheets.length === 0) throw new Error('MUI made no style sheet of the theme')
  return sheets.join('')
}
