import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { open } from 'node:fs/promises'
import { isOnThisMachine } from '@portal/platform/http/client-address'
import { apiErrors, sendApiError } from '@portal/platform/http/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

const lineSchema = z.object({
  at: z.string(),
  channel: z.enum(['email', 'sms', 'push']),
  to: z.string(),
  subject: z.string().optional(),
  text: z.string(),
  code: z.string().optional(),
  link: z.string().optional(),
})
type Line = z.infer<typeof lineSchema>

const maxLines = 200
const maxTailBytes = 1024 * 1024

export type DevMailbox = {
  readonly file: string
  /** The last segment of its path. */
  readonly key: string
}

/**
 * Shows outgoing messages, newest first: as a page to browsers and as JSON to programs. Their codes and links open
 * every account. So the route exists only on request and only for the developer who started the portal
 * (mailboxGuard).
 */
export const serveDevOutbox = (app: FastifyInstance, { file, key }: DevMailbox): void => {
  const mayRead = mailboxGuard(key)
  app.get<{ Params: { key: string } }>('/dev/outbox/:key', async (request, reply) => {
    if (!mayRead(request, request.params.key)) return sendApiError(request, reply, apiErrors.unknownCall)
    const lines = await readTail(file)
    reply.headers({ 'cache-control': 'no-store', vary: 'Accept', 'referrer-policy': 'no-referrer' })
    if (!request.headers.accept?.includes('text/html')) {
      return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(lines))
    }
    return reply.header('content-type', 'text/html; charset=utf-8').send(pageOf(lines))
  })
}

/** The last lines, newest first; empty if nothing was sent. Skips a line that is still being written. */
const readTail = async (file: string): Promise<readonly Line[]> => {
  const text = await tailOf(file)
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  const parsed = complete.split('\n').flatMap((line) => {
    const outcome = lineSchema.safeParse(parseJson(line))
    return outcome.success ? [outcome.data] : []
  })
  return parsed.slice(-maxLines).toReversed()
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The first line of the tail is usually incomplete.
    return undefined
  }
}

const tailOf = async (file: string): Promise<string> => {
  try {
    await using handle = await open(file, 'r')
    const { size } = await handle.stat()
    const start = Math.max(0, size - maxTailBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Links only http(s) URLs, never `javascript:` and the like. */
const linkTo = (address: string): string =>
  /^(\/(?!\/)|https?:\/\/)/.test(address)
    ? `<a href="${escape(address)}">${escape(address)}</a>`
    : `<span>${escape(address)}</span>`

const channelNames: Readonly<Record<Line['channel'], string>> = { email: 'E-mail', sms: 'SMS', push: 'Push' }

const entryOf = ({ at, channel, to, subject, text, code, link }: Line): string => `<li>
<header><b>${channelNames[channel]}</b> <span>${escape(to)}</span> <time>${escape(at)}</time></header>
${subject === undefined ? '' : `<h2>${escape(subject)}</h2>`}
<p>${escape(text)}</p>
${code === undefined ? '' : `<p><code>${escape(code)}</code></p>`}
${link === undefined ? '' : `<p>${linkTo(link)}</p>`}
</li>`

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1rem; margin: .4rem 0 0 }
ul { list-style: none; padding: 0 }
li { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 10px; padding: .8rem 1rem; margin: 0 0 .8rem; overflow-wrap: anywhere }
header { display: flex; flex-wrap: wrap; gap: .2rem .8rem; font-size: .85rem } time { margin-left: auto; opacity: .7 }
p { margin: .3rem 0; white-space: pre-wrap } code { font-size: 1.4rem; letter-spacing: .15em }`

const pageOf = (lines: readonly Line[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><h1>Outbox</h1>
<p>What the portal would have sent, newest first. Messages land here as long as no provider is set for their channel.</p>
${lines.length === 0 ? '<p>Nothing has been sent yet.</p>' : `<ul>${lines.map(entryOf).join('\n')}</ul>`}
</body></html>`

/** As hard to guess as a session token. Changes with every start. */
export const newMailboxKey = (): string => randomBytes(24).toString('base64url')

const localNames = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether the Host header names this machine and port. With DNS rebinding a page sends its own host name. */
const namesThisMachine = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean => {
  const port = raw.socket.localPort
  return localNames.some((name) => headers.host === `${name}:${port}` || (port === 80 && headers.host === name))
}

/** Browsers send Sec-Fetch-Site. Programs may omit it. */
const isFromOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'none' || site === 'same-origin'
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') ?? false
  return !isBrowser && headers.origin === undefined && headers.referer === undefined
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Restricts the development mailbox to the person who started the portal, on the same machine. */
const mailboxGuard = (key: string) => {
  const expected = digest(key)
  return (request: Pick<FastifyRequest, 'headers' | 'raw'>, given: string): boolean => {
    const knowsKey = timingSafeEqual(digest(given), expected)
    return knowsKey && isOnThisMachine(request) && namesThisMachine(request) && isFromOwnPage(request)
  }
}
