import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { createSemaphore } from '@portal/platform/async/semaphore'
import { maxTokensPerPush, type PushMessage, type PushOutcome, type PushSender } from '@portal/platform/outbound/port'
import type { PushCircuitBreaker } from '@portal/platform/outbound/push-circuit-breaker'
import type { Logger } from 'pino'
import type { Devices, OpenToken } from '../device/devices.ts'

/** Concurrent calls to the provider. */
const callConcurrency = 4
type PushToUsersDeps = {
  readonly push: Pick<PushSender, 'send'>
  readonly devices: Pick<Devices, 'tokensOf' | 'drop'>
  readonly circuitBreaker: PushCircuitBreaker
  readonly logger: Logger
}

/** The provider accepted none of the pushes; retry after `afterMs`. */
type NotAccepted = {
  readonly userId: UserId
  readonly state: 'not-accepted'
  readonly reason: string
  readonly afterMs: number
}
export type Pushed = DeliveryOutcome | NotAccepted

export const noDevice = (userId: UserId): DeliveryOutcome => ({
  userId,
  state: 'skipped',
  reason: deliveryReasons.noDevice,
})
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
  // No tokens, or only unregistered ones.
  return refused ? failed(userId, refused.reason) : noDevice(userId)
}

const noAnswer: PushOutcome = { kind: 'failed', reason: deliveryReasons.noAnswer }
const allOf = (tokens: readonly unknown[], outcome: PushOutcome): readonly PushOutcome[] => tokens.map(() => outcome)

/** The message for a user. The same object for users who get the same one. */
export type MessageFor = (userId: UserId) => PushMessage

/** Checked right before each request. */
type Checks = {
  /** The user may have seen the notification meanwhile. */
  readonly isWanted: (userId: UserId) => boolean
  /** An admin may have stopped the delivery meanwhile. */
  readonly isStopped: () => boolean
  readonly signal: AbortSignal
}

export const createPushToUsers = ({ push, devices, circuitBreaker, logger }: PushToUsersDeps) => {
  const withPermit = createSemaphore(callConcurrency)

  type Owned = Pick<OpenToken, 'token' | 'userId'>

  const attempt = async (tokens: readonly Owned[], message: PushMessage): Promise<readonly PushOutcome[]> => {
    const userIds = tokens.map(({ userId }) => userId)
    try {
      return await push.send(
        tokens.map(({ token }) => token),
        message,
        userIds,
      )
    } catch (error) {
      logger.warn({ err: error, notificationId: message.notificationId }, 'push provider call failed')
      return allOf(tokens, { kind: 'unavailable', reason: deliveryReasons.providerUnavailable })
    }
  }

  /** Fails immediately while the circuit is open. */
  const call = async (tokens: readonly Owned[], message: PushMessage): Promise<readonly PushOutcome[]> => {
    const openCircuit = circuitBreaker.openFor()
    if (openCircuit)
      return allOf(tokens, { kind: 'unavailable', reason: openCircuit.reason, retryAfterMs: openCircuit.forMs })
    circuitBreaker.onCallStart()
    const outcomes = await attempt(tokens, message)
    circuitBreaker.onCallEnd(outcomes)
    const unavailable = outcomes.filter((outcome) => outcome.kind === 'unavailable')
    const [first] = unavailable
    if (first) {
      const { notificationId } = message
      const fields = { notificationId, tokens: unavailable.length, reason: first.reason }
      logger.warn(fields, 'push provider did not accept messages, retrying later')
    }
    return outcomes
  }

  /** One call per message: users whose texts differ do not share one. */
  const sendCalls = async (tokens: readonly OpenToken[], messageFor: MessageFor): Promise<readonly PushOutcome[]> => {
    const distinct = [...new Map(tokens.map((owned) => [owned.token, owned])).values()]
    const byMessage = Map.groupBy(distinct, ({ userId }) => messageFor(userId))
    const answers = new Map<string, PushOutcome>()
    await withPermit(() =>
      Promise.all(
        [...byMessage].map(async ([message, owned]) => {
          const outcomes = await call(owned, message)
          for (const [index, { token }] of owned.entries()) answers.set(token, outcomes[index] ?? noAnswer)
        }),
      ),
    )
    return tokens.map(({ token }) => answers.get(token) ?? noAnswer)
  }

  const dropUnregistered = async (tokens: readonly OpenToken[], results: readonly PushOutcome[]): Promise<void> => {
    for (const token of tokens.filter((_, index) => results[index]?.kind === 'unregistered')) {
      try {
        await devices.drop(token)
      } catch (error) {
        // The provider will report it again with the next push.
        logger.warn(
          { err: error, userId: token.userId },
          'unregistered push token could not be removed, removing it after the next push',
        )
      }
    }
  }

  /**
   * Pushes once to all devices of the users and returns a result per user, but none for users who were not reached
   * before a stop. Retries are safe: the message id is the tag, so a device replaces a duplicate. Rejects only if
   * `signal` aborts between two requests.
   */
  return async (
    messageFor: MessageFor,
    userIds: readonly UserId[],
    { isWanted, isStopped, signal }: Checks,
  ): Promise<readonly Pushed[]> => {
    const tokens = await devices.tokensOf(userIds)
    const results = new Map<UserId, PushOutcome[]>()
    const seen = new Set<UserId>()
    const unreached = new Set<UserId>()
    for (let from = 0; from < tokens.length; from += maxTokensPerPush) {
      signal.throwIfAborted()
      const next = tokens.slice(from, from + maxTokensPerPush)
      if (isStopped()) {
        for (const { userId } of next) unreached.add(userId)
        continue
      }
      const wanted = next.filter(({ userId }) => {
        if (!isWanted(userId)) seen.add(userId)
        return isWanted(userId)
      })
      if (wanted.length === 0) continue
      const answers = await sendCalls(wanted, messageFor)
      await dropUnregistered(wanted, answers)
      for (const [index, { userId }] of wanted.entries()) {
        results.set(userId, [...(results.get(userId) ?? []), answers[index] ?? noAnswer])
      }
    }
    return userIds.flatMap((userId): readonly Pushed[] => {
      const answers = results.get(userId) ?? []
      if (answers.length === 0 && seen.has(userId)) return [{ userId, state: 'live' }]
      if (answers.length === 0 && unreached.has(userId)) return []
      return [pushedFrom(userId, answers)]
    })
  }
}
export type PushToUsers = ReturnType<typeof createPushToUsers>
