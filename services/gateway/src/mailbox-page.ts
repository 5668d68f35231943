import { createHash } from 'node:crypto'
import { z } from 'zod'
import { escapeHtml } from './escape-html.ts'
import { colorVariables, logo, logoUrl } from './page-style.ts'

/** A message in the outbox file. */
export const messageSchema = z.object({
  at: z.string(),
  channel: z.enum(['email', 'sms', 'push']),
  to: z.string(),
  subject: z.string().optional(),
  text: z.string(),
  code: z.string().optional(),
  link: z.string().optional(),
})
export type Message = z.infer<typeof messageSchema>

export const scriptPath = '/dev/outbox/page.js'

const copyButton = (text: string, what: string): string =>
  `<button type="button" class="copy" data-copy="${escapeHtml(text)}" aria-label="Copy ${what}">Copy</button>`

/** Links only http(s) URLs, never `javascript:` and the like. */
const linkTo = (address: string): string =>
  /^(\/(?!\/)|https?:\/\/)/.test(address)
    ? `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a> ${copyButton(address, 'link')}`
    : `<span>${escapeHtml(address)}</span>`

const channelNames: Readonly<Record<Message['channel'], string>> = { email: 'Email', sms: 'SMS', push: 'Push' }

/** '12 s ago', '3 min ago', then the date. mailbox-script.js keeps it up to date, with the same words. */
export const timeAgo = (at: string, now: Date): string => {
  const seconds = Math.round((now.getTime() - Date.parse(at)) / 1_000)
  if (Number.isNaN(seconds)) return at
  if (seconds < 1) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ago` : at.slice(0, 16).replace('T', ' ')
}

/** The same for the same message, so that the page can tell which are new. */
const idOf = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16)

const entryOf = (message: Message, now: Date): string => {
  const { at, channel, to, subject, text, code, link } = message
  return `<li data-id="${idOf(message)}" data-to="${escapeHtml(to.toLowerCase())}">
<header><b>${channelNames[channel]}</b> <span>${escapeHtml(to)}</span> <time datetime="${escapeHtml(at)}">${escapeHtml(timeAgo(at, now))}</time></header>
${subject === undefined ? '' : `<h2>${escapeHtml(subject)}</h2>`}
${code === undefined ? '' : `<p class="code"><code>${escapeHtml(code)}</code> ${copyButton(code, 'code')}</p>`}
<p>${escapeHtml(text)}</p>
${link === undefined ? '' : `<p class="link">${linkTo(link)}</p>`}
</li>`
}

const style = `${colorVariables}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main, .bar { max-width: 46rem; margin: 0 auto; padding: 0 1rem }
.top { background: var(--surface); border-bottom: 1px solid var(--hairline) }
.bar { display: flex; align-items: center; gap: .75rem; min-height: 64px } .bar svg { width: 32px; height: 32px }
h1 { font-size: 1.25rem; margin: 0 } h2 { font-size: 1rem; margin: .75rem 0 0 }
.about { color: var(--ink-soft); margin: 1.5rem 0 1rem }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0 0 1rem }
.filter label { flex: 1 1 16rem; font-size: .875rem; color: var(--ink-soft) }
input { display: block; width: 100%; min-height: 44px; margin-top: .25rem; padding: 0 .75rem; font: inherit; color: var(--ink);
  background: var(--surface); border: 1px solid var(--edge); border-radius: 6px }
.count { font-variant-numeric: tabular-nums; color: var(--ink-soft); align-self: flex-end; min-height: 44px; line-height: 44px }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--hairline) }
li { padding: 1rem 0; border-bottom: 1px solid var(--hairline); overflow-wrap: anywhere } li[hidden] { display: none }
li.new { animation: arrive 2s ease-out } @keyframes arrive { from { background: var(--accent-soft) } }
@media (prefers-reduced-motion: reduce) { li.new { animation: none } }
li header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; font-size: .875rem; color: var(--ink-soft) } li b { color: var(--ink) }
time { margin-left: auto; font-variant-numeric: tabular-nums }
p { margin: .5rem 0 0; white-space: pre-wrap } .code, .link { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem }
code { font: 600 2.5rem/1.2 ui-monospace, monospace; letter-spacing: .12em; font-variant-numeric: tabular-nums }
a { color: var(--accent) }
.copy { min-height: 44px; min-width: 88px; white-space: nowrap; padding: 0 1rem; font: inherit; font-weight: 600; cursor: pointer; color: var(--accent);
  background: var(--surface); border: 1px solid var(--edge); border-radius: 6px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`

/** The page of the development mailbox. It works without its script, which refreshes it, filters it and copies codes. */
export const mailboxPage = (messages: readonly Message[], now: Date): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbox · Minor Programs</title><link rel="icon" type="image/svg+xml" href="${logoUrl}"><style>${style}</style>
<script src="${scriptPath}" defer></script></head>
<body><div class="top"><div class="bar">${logo}<h1>Outbox</h1></div></div>
<main><p class="about">Messages appear here until a provider is configured. Newest first.</p>
<div class="filter"><label>Filter by address<input type="search" id="filter" autocomplete="off" spellcheck="false"></label>
<span class="count" id="count" role="status">${messages.length === 1 ? '1 message' : `${messages.length} messages`}</span></div>
<p id="empty"${messages.length === 0 ? '' : ' hidden'}>Nothing has been sent yet.</p>
<ul id="messages">${messages.map((message) => entryOf(message, now)).join('\n')}</ul></main>
</body></html>`
