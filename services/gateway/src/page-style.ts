/**
 * The look of the pages that the gateway builds itself: /docs and the development mailbox. The colors are those of
 * web/src/app/theme/tokens.ts; page-style.repository.test.ts compares them.
 */
const light = `--paper: #F6F6F2; --surface: #FFFFFF; --ink: #14181F; --ink-soft: #535A66; --hairline: #DCDDD7; --edge: #7F858F;
  --accent: #BF360C; --on-accent: #FFFFFF; --accent-soft: #FCE9E1;`
const dark = `--paper: #12151B; --surface: #1A1E26; --ink: #EEEDE8; --ink-soft: #A6ACB8; --hairline: #2B303A; --edge: #727A88;
  --accent: #FF9268; --on-accent: #2A0E02; --accent-soft: #38221A;`

/** Follows the scheme of the system. */
export const colorVariables = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }`

/** Follows the switch of Swagger UI, which starts with the scheme of the system. */
export const docsColorVariables = `:root { ${light} } html.dark-mode { ${dark} }`

/** The logo on a 32 px grid, as in web/src/ui/brand-shape.ts. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#BF360C"/>' +
  '<g fill="#FFFFFF" transform="translate(5.12 5.12) scale(.68)"><path d="M3 4h7v24H3z"/><path d="M22 4h7v24h-7z"/>' +
  '<path d="M10 4l6 8.5L22 4v10l-6 8.5L10 14z" opacity=".62"/></g></svg>'

export const logoUrl = `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`
