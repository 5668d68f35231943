import { Global } from '@emotion/react'
import { theme } from '../app/theme/theme.ts'

const sheets = theme.generateStyleSheets()

/** The theme's variables. The product has them in the page itself (build/index-html.tsx), which tests do not load. */
export const ThemeStyles = () => <Global styles={sheets} />
