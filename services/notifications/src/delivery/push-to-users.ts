import type { NotificationText, Outcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { mostTokensPerPush, type PushMessage, type PushOutcome, type PushSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { setTimeout as pause } from 'node:timers/promises'
import type { Devices, OpenToken } from '../device/devices.ts'
import { createTurnstile } from './at-once.ts'

/** Of the provider, under way at a time. */
const callsAtOnce = 4
/** Other sends wait behind a pause. A provider that asks for more is taken at its word, and not asked again. */
const longestPauseMs = 15_000
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

const messageOf = ({ notificationId, title, message, type }: NotificationText): PushMessage => ({
  notificationId,
  title,
  body: excerpt(message),
  url: `/notification/${notificationId}`,
  type,
})

export const noDevice = (userId: UserId): Outcome => ({ userId, state: 'skipped', reason: 'no device' })

const outcomeFrom = (userId: UserId, results: readonly PushOutcome[]): Outcome => {
  if (results.some(({ kind }) => kind === 'accepted')) return { userId, state: 'pushed' }
  const failure = results.find((result) => result.kind === 'failed' || result.kind === 'unavailable')
  if (failure) return { userId, state: 'failed', reason: failure.reason.slice(0, 200) }
  // None at all, or only such as the provider no longer knows.
  return noDevice(userId)
}

const noAnswer: PushOutcome = { kind: 'failed', reason: 'no answer from the provider' }

/** How long to wait at least before the token is tried again. */
const soonestRetryMs = (outcome: PushOutcome | undefined): number =>
  outcome?.kind === 'unavailable' ? (outcome.retryAfterMs ?? 0) : Number.POSITIVE_INFINITY

export const createPushToUsers = ({ push, devices, retryPausesMs, logger }: Deps) => {
  const inTurn = createTurnstile(callsAtOnce)

  const attempt = async (tokens: readonly string[], message: PushMessage): Promise<readonly PushOutcome[]> => {
    const { notificationId } = message
    try {
      const outcomes = await inTurn(() => push.send(tokens, message))
      const unavailable = outcomes.filter((outcome) => outcome.kind === 'unavailable')
      const [first] = unavailable
      if (first)
        logger.warn({ notificationId, tokens: unavailable.length, reason: first.reason }, 'Push not taken over')
      return outcomes
    } catch (error) {
      logger.warn({ err: error, notificationId, tokens: tokens.length }, 'Push not taken over')
      return tokens.map(() => ({ kind: 'unavailable', reason: 'provider unavailable' }))
    }
  }

  /**
   * Tries those again that the provider did not take over. A retry may show twice only what a device replaces by itself: the
   * message's id is its tag.
   */
  const sendCall = async (
    tokens: readonly OpenToken[],
    message: PushMessage,
    signal: AbortSignal,
  ): Promise<readonly PushOutcome[]> => {
    const answers = new Map<string, PushOutcome>()
    let waiting = [...new Set(tokens.map(({ token }) => token))]
    for (const pauseMs of [...retryPausesMs, undefined]) {
      const outcomes = await attempt(waiting, message)
      for (const [index, token] of waiting.entries()) answers.set(token, outcomes[index] ?? noAnswer)
      const asked = waiting.map((token) => ({ token, afterMs: soonestRetryMs(answers.get(token)) }))
      const again = asked.filter(({ afterMs }) => afterMs <= longestPauseMs)
      if (again.length === 0 || pauseMs === undefined) break
      await pause(Math.max(pauseMs, ...again.map(({ afterMs }) => afterMs)), undefined, { signal })
      waiting = again.map(({ token }) => token)
    }
    return tokens.map(({ token }) => answers.get(token) ?? noAnswer)
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
    for (let from = 0; from < tokens.length; from += mostTokensPerPush) {
      const call = tokens.slice(from, from + mostTokensPerPush).filter(({ userId }) => {
        if (!isWanted(userId)) seen.add(userId)
        return isWanted(userId)
      })
      if (call.length === 0) continue
      const answers = await sendCall(call, message, signal)
      await dropUnregistered(call, answers)
      for (const [index, { userId }] of call.entries()) {
        results.set(userId, [...(results.get(userId) ?? []), answers[index] ?? noAnswer])
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
