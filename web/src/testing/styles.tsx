import { Global } from '@emotion/react'
import { onTestFinished } from 'vitest'
import { styleCache } from '../app/providers/style-cache.ts'
import { theme } from '../app/theme/theme.ts'

/**
 * happy-dom matches every rule against every element whose style is read, and Testing Library reads the style of each
 * element that it names. So pages get only the rules that hide something, or that show something which another rule of the
 * same class hides. A test about other styles calls `insertAllStyles`.
 */
let insertsAll = false

const { sheet } = styleCache
const insert = sheet.insert.bind(sheet)
const hidingClasses = new Set<string>()

const hides = (rule: string) => /display:none|visibility:|pointer-events:/.test(rule)

sheet.insert = (rule) => {
  const className = /\.(css-[\w-]+)/.exec(rule)?.[1] ?? ''
  if (hides(rule)) hidingClasses.add(className)
  if (insertsAll || hides(rule) || (rule.includes('display:') && hidingClasses.has(className))) insert(rule)
}

/** Emotion inserts all rules again when they are next rendered. */
const removeStyles = () => {
  sheet.flush()
  styleCache.inserted = {}
}

/** Inserts every rule until the test ends. To be called before the page is rendered. */
export const insertAllStyles = () => {
  removeStyles()
  insertsAll = true
  onTestFinished(() => {
    insertsAll = false
    removeStyles()
  })
}

const themeSheets = theme.generateStyleSheets()

/** The theme's variables. In the product they are part of index.html (build/index-html.tsx), which tests do not load. */
export const ThemeStyles = () => insertsAll && <Global styles={themeSheets} />
