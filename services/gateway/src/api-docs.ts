import { readFileSync } from 'node:fs'
import type { DocumentInfo } from '@portal/platform/http/openapi'
import { z } from 'zod'
import { docsColorVariables } from './page-style.ts'

const packageSchema = z.object({ version: z.string().min(1) })

/** The running version, such as `0.2.0`. */
const version: string = packageSchema.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
).version

const portalName = 'Minor Programs'

export const docsTitle = `${portalName} API`

const description = (address: string): string => `HTTP API of the portal. All responses are JSON, except for downloads.

## Start here

Log in as an admin, list the notifications that were sent, and send one. \`make run\` prints the admin's email and password.

\`\`\`sh
TOKEN=$(curl -s ${address}/auth/login --json '{"personalEmail":"admin@example.com","password":"…"}' | jq -r .data.token)
curl -s ${address}/notifications/recent -H "Authorization: Bearer $TOKEN"
curl -s ${address}/notifications/send -H "Authorization: Bearer $TOKEN" --json '{"audience":{"everyone":true},"title":"Exam schedule","message":"The AI exam is on December 12 at 10 AM."}'
\`\`\`

- **Sessions.** A login returns a token and sets it as a cookie. A write that carries only the cookie must come from the portal's own pages.
- **API keys.** A program uses a key that an admin has created on the page Profile, instead of a login: \`-H "Authorization: Bearer pk_…"\`. A key sends notifications or reads their results, and nothing else.
- **Errors.** Every error has a \`code\` for programs and a \`message\` for people. Each call lists those it can return.
- **Retries.** Calls that take an \`Idempotency-Key\` can be repeated with the same key: the second call returns the first response.
- **HEAD** works wherever GET does.`

/** What /docs says before the list of calls. */
export const documentInfo = (address: string): DocumentInfo => ({
  title: docsTitle,
  version,
  description: description(address),
})

/** Swagger UI in the colors of the portal. */
export const docsStyle = `${docsColorVariables}
body { margin: 0; background: var(--paper) }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .info p, .swagger-ui .info li, .swagger-ui .info h2, .swagger-ui .opblock-tag,
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-description, .swagger-ui table thead tr th,
.swagger-ui .parameter__name, .swagger-ui .response-col_status, .swagger-ui .opblock .opblock-section-header h4,
.swagger-ui .tab li, .swagger-ui label, .swagger-ui .model, .swagger-ui .model-title, .swagger-ui .responses-inner h4,
.swagger-ui .responses-inner h5, .swagger-ui .opblock-description-wrapper p, .swagger-ui .markdown p, .swagger-ui .renderedMarkdown p {
  color: var(--ink); font-family: system-ui, sans-serif }
.swagger-ui .opblock .opblock-summary-path, .swagger-ui code, .swagger-ui pre { font-family: ui-monospace, monospace }
.swagger-ui .topbar { background: var(--surface); border-bottom: 1px solid var(--hairline); padding: 12px 0 }
.swagger-ui .topbar .download-url-wrapper { display: none }
.swagger-ui .info { margin: 32px 0 }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: var(--ink-soft) }
.swagger-ui .info .title small pre { color: var(--paper) }
.swagger-ui .info .markdown pre, .swagger-ui .info .renderedMarkdown pre { background: var(--surface); border: 1px solid var(--hairline);
  border-radius: 6px; padding: 12px 16px; overflow-x: auto }
.swagger-ui .info .markdown pre code, .swagger-ui .info .renderedMarkdown pre code { background: none; color: var(--ink); white-space: pre-wrap; overflow-wrap: anywhere }
.swagger-ui .info .markdown code, .swagger-ui .info .renderedMarkdown code { background: var(--accent-soft); color: var(--accent) }
.swagger-ui a, .swagger-ui .info a { color: var(--accent) }
.swagger-ui .scheme-container, .swagger-ui .opblock .opblock-section-header { background: var(--surface); box-shadow: none }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--hairline) }
.swagger-ui .opblock { border-radius: 6px; box-shadow: none }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent) } .swagger-ui .btn.authorize svg { fill: var(--accent) }
.swagger-ui input[type=text], .swagger-ui textarea, .swagger-ui select { background: var(--surface); color: var(--ink); border-color: var(--edge) }
.swagger-ui .highlight-code > .microlight { max-height: none }
.swagger-ui .opblock .opblock-summary-method { color: #14181F }
html.dark-mode .swagger-ui .info .title small pre { color: var(--paper) }
html.dark-mode .swagger-ui .info .title small, html.dark-mode .swagger-ui .info .title small.version-stamp { background: var(--ink-soft) }
.swagger-ui .response-control-media-type__accept-message, .swagger-ui .header-col, html.dark-mode .swagger-ui .header-col,
.swagger-ui .parameter__in { color: var(--ink); }
.swagger-ui :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`

/** Gives names to the parts that Swagger UI leaves without one, and to those that it adds later. */
export const docsScript = `{
  const nameParts = () => {
    for (const image of document.querySelectorAll('.topbar .link img:not([alt])')) {
      image.alt = ${JSON.stringify(portalName)}
      image.parentElement.href = '/'
    }
    for (const select of document.querySelectorAll('.examples-select-element:not([aria-label])'))
      select.setAttribute('aria-label', 'Example')
    for (const table of document.querySelectorAll('.responses-table:not([aria-label])')) {
      const method = table.closest('.opblock').querySelector('.opblock-summary-method')
      const path = table.closest('.opblock').querySelector('.opblock-summary-path')
      table.setAttribute('aria-label', 'Responses of ' + method.textContent + ' ' + path.textContent)
    }
    for (const filter of document.querySelectorAll('.filter-container:not([role])')) filter.setAttribute('role', 'search')
    for (const about of document.querySelectorAll('.information-container:not([role])')) {
      about.setAttribute('role', 'region')
      about.setAttribute('aria-label', 'About the API')
    }
  }
  nameParts()
  new MutationObserver(nameParts).observe(document.body, { childList: true, subtree: true })
}`
