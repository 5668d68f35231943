import type { NotificationText, Outcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PushMessage, PushOutcome, PushSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { setTimeout as pause } from 'node:timers/promises'
import type { Devices, OpenToken } from '../device/devices.ts'
import { createTurnstile } from './at-once.ts'

const tokensPerCall = 100
/** Of the provider, under way at a time. */
const callsAtOnce = 4
/** A push carries at most 4 KiB, and a phone shows a few lines. */
const shownChars = 300

type Deps = {
  readonly push: Pick<PushSender, 'send'>
  readonly devices: Pick<Devices, 'tokensOf' | 'drop'>
  /** Between attempts when the provider does not take the messages over. */
  readonly retryPausesMs: readonly number[]
  readonly logger: Logger
}

const endingInHalfAPair = /[\uD800-\uDBFF]$/

const excerpt = (text: string): string =>
  text.length <= shownChars ? text : `${text.slice(0, shownChars - 1).replace(endingInHalfAPair, '')}…`

const messageOf = ({ notificationId, title, message }: NotificationText): PushMessage => ({
  notificationId,
  title,
  body: excerpt(message),
  url: `/notification/${notificationId}`,
})

export const noDevice = (userId: UserId): Outcome => ({ userId, state: 'skipped', reason: 'no device' })

const outcomeFrom = (userId: UserId, results: readonly PushOutcome[]): Outcome => {
  if (results.some(({ kind }) => kind === 'accepted')) return { userId, state: 'pushed' }
  const failure = results.find((result) => result.kind === 'failed')
  if (failure) return { userId, state: 'failed', reason: failure.reason.slice(0, 200) }
  // None at all, or only such as the provider no longer knows.
  return noDevice(userId)
}

export const createPushToUsers = ({ push, devices, retryPausesMs, logger }: Deps) => {
  const inTurn = createTurnstile(callsAtOnce)

  /** A retry may show twice only what a device replaces by itself: the message's id is its tag. */
  const sendCall = async (
    tokens: readonly OpenToken[],
    message: PushMessage,
    signal: AbortSignal,
  ): Promise<readonly PushOutcome[]> => {
    for (const pauseMs of [...retryPausesMs, undefined]) {
      try {
        return await inTurn(() =>
          push.send(
            tokens.map(({ token }) => token),
            message,
          ),
        )
      } catch (error) {
        logger.warn(
          { err: error, notificationId: message.notificationId, tokens: tokens.length },
          'Push not taken over',
        )
        if (pauseMs === undefined) break
        await pause(pauseMs, undefined, { signal })
      }
    }
    return tokens.map(() => ({ kind: 'failed', reason: 'provider unavailable' }))
  }

  const dropUnregistered = async (tokens: readonly OpenToken[], results: readonly PushOutcome[]): Promise<void> => {
    for (const token of tokens.filter((_, index) => results[index]?.kind === 'unregistered')) {
      try {
        await devices.drop(token)
      } catch (error) {
        // Not worth a delivery: the provider will say so again next time.
        logger.warn({ err: error, userId: token.userId }, 'An unregistered push token could not be removed')
      }
    }
  }

  /**
   * Pushes to all devices of the users and tells how it went for each user. `isWanted` is asked again right before each call,
   * as somebody may look at the screen by now. Rejects only when `signal` aborts between two attempts.
   */
  return async (
    text: NotificationText,
    userIds: readonly UserId[],
    isWanted: (userId: UserId) => boolean,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> => {
    const message = messageOf(text)
    const tokens = await devices.tokensOf(userIds)
    const results = new Map<UserId, PushOutcome[]>()
    const seen = new Set<UserId>()
    for (let from = 0; from < tokens.length; from += tokensPerCall) {
      const call = tokens.slice(from, from + tokensPerCall).filter(({ userId }) => {
        if (!isWanted(userId)) seen.add(userId)
        return isWanted(userId)
      })
      if (call.length === 0) continue
      const answers = await sendCall(call, message, signal)
      await dropUnregistered(call, answers)
      for (const [index, { userId }] of call.entries()) {
        const answer = answers[index] ?? { kind: 'failed', reason: 'no answer from the provider' }
        results.set(userId, [...(results.get(userId) ?? []), answer])
      }
    }
    return userIds.map((userId) => {
      const answers = results.get(userId) ?? []
      if (answers.length === 0 && seen.has(userId)) return { userId, state: 'live' }
      return outcomeFrom(userId, answers)
    })
  }
}
export type PushToUsers = ReturnType<typeof createPushToUsers>
