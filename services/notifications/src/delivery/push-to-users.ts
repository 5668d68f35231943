import type { NotificationText, DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { createSemaphore } from '@portal/platform/async/semaphore'
import { maxTokensPerPush, type PushMessage, type PushOutcome, type PushSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import type { Devices, OpenToken } from '../device/devices.ts'

/** Calls in a row of which the provider took over nothing, until it counts as away. One device that is asked too often is none of them. */
const failureThreshold = 3
const firstPauseMs = 1_000
const longestPauseMs = 60_000
/** A provider that asks for more is asked again all the same: it may have been one answer that was wrong. */
const longestAskedMs = 15 * 60_000

export type Held = { readonly forMs: number; readonly reason: string }

/**
 * While the push provider is away, one call at a time tries whether it is back, with growing pauses; the others are not made. So a
 * call that takes until its deadline holds up nothing else, and an outage costs few calls.
 */
export const createPushCircuitBreaker = (elapsedMs: () => number) => {
  let failures = 0
  let pauseMs = firstPauseMs
  let untilMs = 0
  let reason = ''
  let isProbing = false

  return {
    /** For how long no call is made, and why; undefined when one can be made. */
    openFor: (): Held | undefined => {
      if (failures < failureThreshold) return undefined
      const leftMs = untilMs - elapsedMs()
      if (leftMs > 0) return { forMs: leftMs, reason }
      return isProbing ? { forMs: firstPauseMs, reason } : undefined
    },
    onCallStart: (): void => {
      isProbing = true
    },
    onCallEnd: (outcomes: readonly PushOutcome[]): void => {
      isProbing = false
      const unavailable = outcomes.filter((outcome) => outcome.kind === 'unavailable')
      const [first] = unavailable
      if (first === undefined || unavailable.length < outcomes.length) {
        failures = 0
        pauseMs = firstPauseMs
        return
      }
      failures += 1
      reason = first.reason
      if (failures < failureThreshold) return
      const askedMs = Math.max(...unavailable.map(({ retryAfterMs }) => retryAfterMs ?? 0))
      untilMs = elapsedMs() + Math.max(pauseMs, Math.min(askedMs, longestAskedMs))
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    },
  }
}
export type PushCircuitBreaker = ReturnType<typeof createPushCircuitBreaker>

/** Of the provider, under way at a time. */
const callsAtOnce = 4
/** A push carries at most 4 KiB, and a phone shows a few lines. */
const shownChars = 300

type Deps = {
  readonly push: Pick<PushSender, 'send'>
  readonly devices: Pick<Devices, 'tokensOf' | 'drop'>
  readonly circuitBreaker: PushCircuitBreaker
  readonly logger: Logger
}

/** Nothing took it over this time; worth another attempt, after what the provider asks for. */
type NotAccepted = {
  readonly userId: UserId
  readonly state: 'not-accepted'
  readonly reason: string
  readonly afterMs: number
}
export type Pushed = DeliveryOutcome | NotAccepted

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

export const noDevice = (userId: UserId): DeliveryOutcome => ({ userId, state: 'skipped', reason: 'no device' })
export const failed = (userId: UserId, reason: string): DeliveryOutcome => ({
  userId,
  state: 'failed',
  reason: reason.slice(0, 200),
})

const pushedFrom = (userId: UserId, results: readonly PushOutcome[]): Pushed => {
  if (results.some(({ kind }) => kind === 'accepted')) return { userId, state: 'pushed' }
  const unavailable = results.filter((result) => result.kind === 'unavailable')
  const [first] = unavailable
  if (first) {
    const afterMs = Math.max(...unavailable.map(({ retryAfterMs }) => retryAfterMs ?? 0))
    return { userId, state: 'not-accepted', reason: first.reason, afterMs }
  }
  const refused = results.find((result) => result.kind === 'failed')
  // None at all, or only such as the provider no longer knows.
  return refused ? failed(userId, refused.reason) : noDevice(userId)
}

const noAnswer: PushOutcome = { kind: 'failed', reason: 'no answer from the provider' }
const allOf = (tokens: readonly unknown[], outcome: PushOutcome): readonly PushOutcome[] => tokens.map(() => outcome)

export const createPushToUsers = ({ push, devices, circuitBreaker, logger }: Deps) => {
  const withPermit = createSemaphore(callsAtOnce)

  const attempt = async (tokens: readonly string[], message: PushMessage): Promise<readonly PushOutcome[]> => {
    try {
      return await push.send(tokens, message)
    } catch (error) {
      logger.warn({ err: error, notificationId: message.notificationId }, 'push provider could not be called')
      return allOf(tokens, { kind: 'unavailable', reason: 'provider unavailable' })
    }
  }

  /** Answers at once while the provider is away. */
  const call = async (tokens: readonly string[], message: PushMessage): Promise<readonly PushOutcome[]> => {
    const held = circuitBreaker.openFor()
    if (held) return allOf(tokens, { kind: 'unavailable', reason: held.reason, retryAfterMs: held.forMs })
    circuitBreaker.onCallStart()
    const outcomes = await attempt(tokens, message)
    circuitBreaker.onCallEnd(outcomes)
    const unavailable = outcomes.filter((outcome) => outcome.kind === 'unavailable')
    const [first] = unavailable
    if (first) {
      const { notificationId } = message
      const fields = { notificationId, tokens: unavailable.length, reason: first.reason }
      logger.warn(fields, 'push provider did not take messages over, trying again later')
    }
    return outcomes
  }

  const sendCall = async (tokens: readonly OpenToken[], message: PushMessage): Promise<readonly PushOutcome[]> => {
    const distinct = [...new Set(tokens.map(({ token }) => token))]
    const outcomes = await withPermit(() => call(distinct, message))
    const answers = new Map(distinct.map((token, index) => [token, outcomes[index] ?? noAnswer]))
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
   * Pushes to all devices of the users, once, and tells how it went for each user. `isWanted` is asked again right before each
   * call, as somebody may look at the screen by now. A later attempt may show twice only what a device replaces by itself: the
   * message's id is its tag. Rejects only when `signal` aborts between two calls.
   */
  return async (
    text: NotificationText,
    userIds: readonly UserId[],
    isWanted: (userId: UserId) => boolean,
    signal: AbortSignal,
  ): Promise<readonly Pushed[]> => {
    const message = messageOf(text)
    const tokens = await devices.tokensOf(userIds)
    const results = new Map<UserId, PushOutcome[]>()
    const seen = new Set<UserId>()
    for (let from = 0; from < tokens.length; from += maxTokensPerPush) {
      signal.throwIfAborted()
      const wanted = tokens.slice(from, from + maxTokensPerPush).filter(({ userId }) => {
        if (!isWanted(userId)) seen.add(userId)
        return isWanted(userId)
      })
      if (wanted.length === 0) continue
      const answers = await sendCall(wanted, message)
      await dropUnregistered(wanted, answers)
      for (const [index, { userId }] of wanted.entries()) {
        results.set(userId, [...(results.get(userId) ?? []), answers[index] ?? noAnswer])
      }
    }
    return userIds.map((userId) => {
      const answers = results.get(userId) ?? []
      if (answers.length === 0 && seen.has(userId)) return { userId, state: 'live' }
      return pushedFrom(userId, answers)
    })
  }
}
export type PushToUsers = ReturnType<typeof createPushToUsers>
