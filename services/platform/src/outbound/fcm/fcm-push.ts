import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { Credential } from 'firebase-admin/app'
import type { Messaging } from 'firebase-admin/messaging'
import { z } from 'zod'
import { maxTokensPerPush, type PushOutcome, type PushSender } from '../port.ts'
import { retryAfterMs } from '../retry-after.ts'
import { fcmMessageOf } from './message.ts'
import type { ServiceAccount } from './service-account.ts'

/** The fields of a firebase-admin error that are read. Its message may quote the token and is never used. */
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

/** Checks the detail and not the library's code, which also covers other errors, such as a mistyped project. */
const saysUnregistered = (data: unknown): boolean =>
  unregisteredSchema.safeParse(data).data?.error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED') ?? false

const tooManyRequests = 429
const firstServerError = 500

/** The outcome of a failed send. */
const outcomeOf = (error: unknown, now: () => Date): PushOutcome => {
  const known = errorSchema.safeParse(error).data
  if (!known) return { kind: 'failed', reason: deliveryReasons.notHandedOver }
  const { httpResponse } = known
  const [area, reason = known.code] = known.code.split('/')
  // No response: a network error, or the server of the access tokens failed.
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
  /** Provides the access tokens instead of the service account. */
  readonly credential?: Credential | undefined
}

/** Loads firebase-admin only when it is needed. */
const openMessaging = async (options: MessagingOptions): Promise<OpenMessaging> => {
  const { serviceAccount, agent } = options
  const [{ cert, deleteApp, initializeApp }, { getMessaging }] = await Promise.all([
    import('firebase-admin/app'),
    import('firebase-admin/messaging'),
  ])
  const { projectId, clientEmail, privateKey } = serviceAccount
  const credential = options.credential ?? cert({ projectId, clientEmail, privateKey }, agent)
  // Apps are global by name, so each sender needs its own.
  const app = initializeApp({ credential, projectId, httpAgent: agent }, `push-${randomUUID()}`)
  return { messaging: getMessaging(app), close: () => deleteApp(app) }
}

type FcmPushOptions = {
  readonly serviceAccount: ServiceAccount
  readonly now: () => Date
  /** Timeout of one call, including firebase-admin's own retries after a 503 or a broken connection. */
  readonly timeoutMs?: number
  readonly agent?: Agent
  readonly credential?: Credential
}

/** Keep-alive connections to the provider. */
const maxConnections = 50
const timedOut: PushOutcome = { kind: 'unavailable', reason: deliveryReasons.noAnswerInTime }

/**
 * Firebase Cloud Messaging, one HTTP/1.1 request per token: firebase-admin's multicast uses one HTTP/2 session, which the server
 * closes in the middle of large batches.
 */
export const fcmPush = (options: FcmPushOptions): PushSender => {
  const { serviceAccount, credential, now, timeoutMs = 30_000 } = options
  const agent = options.agent ?? new Agent({ keepAlive: true, maxSockets: maxConnections })
  let opened: Promise<OpenMessaging> | undefined

  const opening = (): Promise<OpenMessaging> => {
    opened ??= openMessaging({ serviceAccount, agent, credential })
    return opened
  }

  return {
    send: async (tokens, message) => {
      if (tokens.length > maxTokensPerPush)
        throw new RangeError(`At most ${maxTokensPerPush} tokens per call, not ${tokens.length}`)
      const { messaging } = await opening()
      const content = fcmMessageOf(message)
      const { promise: timeout, resolve: timeOut } = Promise.withResolvers<PushOutcome>()
      const timer = setTimeout(() => timeOut(timedOut), timeoutMs)
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
