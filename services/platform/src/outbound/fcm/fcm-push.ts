import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import type { Credential } from 'firebase-admin/app'
import type { Messaging } from 'firebase-admin/messaging'
import { z } from 'zod'
import { maxTokensPerPush, type PushOutcome, type PushSender } from '../port.ts'
import { fcmMessageOf } from './message.ts'
import type { ServiceAccount } from './service-account.ts'

/** What is used of the errors of firebase-admin. Their messages may quote the token and are left alone. */
const errorSchema = z.object({
  code: z.string(),
  httpResponse: z
    .object({
      status: z.number(),
      headers: z.record(z.string(), z.unknown()).default({}),
      data: z.unknown(),
    })
    .optional(),
})

const unregisteredSchema = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().optional() })) }),
})

/** The detail counts, not the library's code for it: that stands for any 'not found', a mistyped project's, say. */
const saysUnregistered = (data: unknown): boolean =>
  unregisteredSchema.safeParse(data).data?.error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED') ?? false

/** Seconds, or a date. */
const retryAfterMs = (header: unknown, now: () => Date): number | undefined => {
  if (typeof header !== 'string' || header === '') return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now().getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

const tooManyRequests = 429
const firstServerError = 500

/** What a send that failed means for its token. */
const outcomeOf = (error: unknown, now: () => Date): PushOutcome => {
  const known = errorSchema.safeParse(error).data
  if (!known) return { kind: 'failed', reason: 'push could not be handed over' }
  const { httpResponse } = known
  const [area, reason = known.code] = known.code.split('/')
  // Without an answer: the network, or the credentials' own server.
  if (!httpResponse) return { kind: area === 'app' ? 'unavailable' : 'failed', reason }
  if (saysUnregistered(httpResponse.data)) return { kind: 'unregistered' }
  const { status, headers } = httpResponse
  if (status !== tooManyRequests && status < firstServerError) return { kind: 'failed', reason }
  const afterMs = retryAfterMs(headers['retry-after'], now)
  return { kind: 'unavailable', reason, ...(afterMs !== undefined && { retryAfterMs: afterMs }) }
}

type OpenMessaging = { readonly messaging: Messaging; close(): Promise<void> }

type MessagingOptions = {
  readonly serviceAccount: ServiceAccount
  readonly agent: Agent
  /** Gets the access tokens, instead of what firebase-admin makes of the service account. */
  readonly credential?: Credential | undefined
}

/** Loads firebase-admin, which a portal without this provider never does. */
const openMessaging = async (options: MessagingOptions): Promise<OpenMessaging> => {
  const { serviceAccount, agent } = options
  const [{ cert, deleteApp, initializeApp }, { getMessaging }] = await Promise.all([
    import('firebase-admin/app'),
    import('firebase-admin/messaging'),
  ])
  const { projectId, clientEmail, privateKey } = serviceAccount
  const credential = options.credential ?? cert({ projectId, clientEmail, privateKey }, agent)
  // Apps are global by name, and another sender is another app.
  const app = initializeApp({ credential, projectId, httpAgent: agent }, `push-${randomUUID()}`)
  return { messaging: getMessaging(app), close: () => deleteApp(app) }
}

type FcmPushOptions = {
  readonly serviceAccount: ServiceAccount
  readonly now: () => Date
  /** For one call. firebase-admin repeats by itself what met a 503 or a broken connection; this bounds all of it. */
  readonly timeoutMs?: number
  readonly agent?: Agent
  readonly credential?: Credential
}

/** Connections to the provider, kept open. */
const connections = 50
const late: PushOutcome = { kind: 'unavailable', reason: 'no answer in time' }

/**
 * Firebase Cloud Messaging. One request a token over HTTP/1.1: firebase-admin's calls for many tokens use one HTTP/2 session,
 * which the server ends in the middle of large batches.
 */
export const fcmPush = (options: FcmPushOptions): PushSender => {
  const { serviceAccount, credential, now, timeoutMs = 30_000 } = options
  const agent = options.agent ?? new Agent({ keepAlive: true, maxSockets: connections })
  let opened: Promise<OpenMessaging> | undefined

  const opening = (): Promise<OpenMessaging> => {
    opened ??= openMessaging({ serviceAccount, agent, credential })
    return opened
  }

  return {
    send: async (tokens, message) => {
      if (tokens.length > maxTokensPerPush)
        throw new RangeError(`At most ${maxTokensPerPush} tokens a call, not ${tokens.length}`)
      const { messaging } = await opening()
      const content = fcmMessageOf(message)
      const { promise: timeout, resolve: timeOut } = Promise.withResolvers<PushOutcome>()
      const timer = setTimeout(() => timeOut(late), timeoutMs)
      const sendTo = (token: string): Promise<PushOutcome> =>
        messaging.send({ ...content, token }).then(
          (): PushOutcome => ({ kind: 'accepted' }),
          (error: unknown) => outcomeOf(error, now),
        )
      try {
        return await Promise.all(tokens.map((token) => Promise.race([sendTo(token), timeout])))
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      const open = await opened
      await open?.close()
      agent.destroy()
    },
  }
}
