import createCache, { type StylisPlugin } from '@emotion/cache'

/** The properties in use that Safari 16.4, the oldest of the build's target, has only with a prefix. */
const prefixedProperties: ReadonlySet<unknown> = new Set(['user-select', 'text-size-adjust'])

/**
 * Stands in for Emotion's prefixer, which rewrites each flexbox for browsers of 2012. That is a third of the time in which a
 * phone generates the styles of a page, in one task without a pause.
 */
const prefixForSafari: StylisPlugin = (element) => {
  if (element.type !== 'decl' || !prefixedProperties.has(element.props)) return
  element.return = `-webkit-${element.value}${element.value}`
}

/** The styles of all components. */
export const styleCache = createCache({ key: 'css', stylisPlugins: [prefixForSafari] })
