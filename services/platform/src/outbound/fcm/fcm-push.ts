import { Agent } from 'node:https'
import type { Credential } from 'firebase-admin/app'
import { mostTokensPerPush, type PushOutcome, type PushSender } from '../port.ts'
import { fcmMessageOf } from './message.ts'
import { openMessaging, type OpenMessaging } from './open-messaging.ts'
import { outcomeOf } from './outcome.ts'
import type { ServiceAccount } from './service-account.ts'

export type FcmPushOptions = {
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
      if (tokens.length > mostTokensPerPush)
        throw new RangeError(`At most ${mostTokensPerPush} tokens a call, not ${tokens.length}`)
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
