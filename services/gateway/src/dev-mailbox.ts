import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { parseJson } from '@portal/platform/files/parse-json'
import { isOnThisMachine } from '@portal/platform/http/client-address'
import { apiErrors, sendApiError } from '@portal/platform/http/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mailboxPage, type Message, messageSchema, scriptPath } from './mailbox-page.ts'

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
  // A file of its own, because the content security policy allows no inline script. It contains nothing secret.
  const script = readFileSync(new URL('./mailbox-script.js', import.meta.url), 'utf8')
  app.get(scriptPath, async (_request, reply) =>
    reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }).send(script),
  )
  app.get<{ Params: { key: string } }>('/dev/outbox/:key', async (request, reply) => {
    if (!mayRead(request, request.params.key)) return sendApiError(request, reply, apiErrors.unknownCall)
    const lines = await readTail(file)
    reply.headers({ 'cache-control': 'no-store', vary: 'Accept', 'referrer-policy': 'no-referrer' })
    if (!request.headers.accept?.includes('text/html')) {
      return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(lines))
    }
    return reply.header('content-type', 'text/html; charset=utf-8').send(mailboxPage(lines, new Date()))
  })
}

/** The last lines, newest first; empty if nothing was sent. Skips a line that is still being written. */
const readTail = async (file: string): Promise<readonly Message[]> => {
  const text = await tailOf(file)
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  const parsed = complete.split('\n').flatMap((line) => {
    // The first line of the tail is usually incomplete.
    const outcome = messageSchema.safeParse(parseJson(line))
    return outcome.success ? [outcome.data] : []
  })
  return parsed.slice(-maxLines).toReversed()
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

/** Makes a key that is as hard to guess as a session token. It changes with every start. */
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
