import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isOnThisMachine } from '@portal/platform/http/client-address'
import type { FastifyRequest } from 'fastify'

/** As hard to guess as a session's token. A new one at each start. */
export const newMailboxKey = (): string => randomBytes(24).toString('base64url')

const localNames = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether the Host is this machine at the port that the portal listens on. A page that was rebound to it has its own name there. */
const namesThisMachine = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean => {
  const port = raw.socket.localPort
  return localNames.some((name) => headers.host === `${name}:${port}` || (port === 80 && headers.host === name))
}

/** A browser says where the request comes from. Only programs leave it out, and they send nothing else that browsers send. */
const isFromOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'none' || site === 'same-origin'
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') ?? false
  return !isBrowser && headers.origin === undefined && headers.referer === undefined
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Who may see the development mailbox: the person who started the portal, at the machine that it runs on. */
export const mailboxGuard = (key: string) => {
  const expected = digest(key)
  return (request: Pick<FastifyRequest, 'headers' | 'raw'>, given: string): boolean => {
    const knowsKey = timingSafeEqual(digest(given), expected)
    return knowsKey && isOnThisMachine(request) && namesThisMachine(request) && isFromOwnPage(request)
  }
}
