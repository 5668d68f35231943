/**
 * The browsers in which the portal works: these and later ones. The build compiles for them, the lint rule browsers/supported forbids
 * what they lack, and web/e2e/page-states.test.ts takes it from Chromium. The README names them, too. The keys are those of
 * @mdn/browser-compat-data.
 */
export const oldestBrowsers = {
  chrome: '100',
  chrome_android: '100',
  firefox: '100',
  firefox_android: '100',
  safari: '15.4',
  safari_ios: '15.4',
} as const

/** With only Safari named, Vite leaves in syntax that it does not know. */
export const buildTarget = [
  `chrome${oldestBrowsers.chrome}`,
  `firefox${oldestBrowsers.firefox}`,
  `safari${oldestBrowsers.safari}`,
  `ios${oldestBrowsers.safari_ios}`,
]

/** What src/start/polyfills.ts adds where it is missing. Not in workers. */
export const polyfilled: readonly string[] = [
  'AbortSignal.any',
  'AbortSignal.timeout',
  'Array.findLast',
  'Array.findLastIndex',
  'Array.toReversed',
  'Array.toSorted',
  'Array.toSpliced',
  'Array.with',
  'Promise.withResolvers',
  'String.toWellFormed',
  'URL.canParse',
]
