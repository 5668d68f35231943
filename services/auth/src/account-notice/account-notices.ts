import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Subscription } from '@portal/platform/bus/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { Mail, MailSender } from '@portal/platform/outbound/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { authEventOf } from '../auth-projection.ts'
import { createMailAttempts, type MailOutcome, outcomeOfFailure } from '../mail-attempts.ts'
import { redactError } from '../redact-error.ts'
import { userDecider } from '../user/decider.ts'
import { openProfile } from '../user/profile.ts'
import { type AccountNotice, noticeMailOf, noticeOf } from './notice-text.ts'

type AccountNoticesDeps = Pick<ServiceDeps, 'bus' | 'logger'> & {
  readonly cursorsIn: ActiveGeneration
  readonly continuity: Continuity
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly mail: Pick<MailSender, 'send'>
  readonly origin: string
  /** Between attempts to send one mail. */
  readonly retryDelaysMs?: readonly number[] | undefined
  /** Counts mails that were never sent. */
  readonly givenUp?: { inc(): void } | undefined
  readonly limiters: {
    readonly newDevices: AttemptLimiter
    readonly changes: AttemptLimiter
    /** Recognizes a message that comes again. */
    readonly perEvent: AttemptLimiter
  }
}

/** Older events are no news: the cursor went back with an emptied read model or a restored log, or nothing ran for long. */
const newsForMs = 24 * 3_600_000
const defaultRetryDelaysMs = [5_000, 30_000, 120_000, 300_000]
const maxInFlight = 100

/**
 * Mails the owner of an account what others may have done: a login with a new device, a new password or role, another second factor. Reads the bus, so that changes by
 * commands count, too, and a mail that a crash prevented goes out after the start. A replay does not run it, and its first start begins with
 * what comes then.
 */
export const startAccountNotices = async (deps: AccountNoticesDeps): Promise<Pick<Subscription, 'stop'>> => {
  const { bus, cursorsIn, continuity, logger, eventStore, vault, clockAndIds, mail, origin, limiters, givenUp } = deps
  const { retryDelaysMs = defaultRetryDelaysMs } = deps
  const attempts = createMailAttempts(retryDelaysMs)
  const inFlight = new Set<Promise<void>>()

  const addressOf = async (userId: UserId): Promise<string | undefined> => {
    const { state: user } = await loadState(eventStore, userDecider, userId)
    if (user.status !== 'active') return undefined
    return (await openProfile(vault, userId, user.profile))?.personalEmail
  }

  /** Nothing is left to do if the account is erased meanwhile, or has lost the address. */
  const attempt = async (message: Mail, userId: UserId, messageId: string): Promise<MailOutcome> => {
    try {
      if ((await addressOf(userId)) !== message.to) return 'settled'
      await mail.send(message)
      await limiters.perEvent.attempt(messageId)
      return 'settled'
    } catch (error) {
      logger.warn({ reason: redactError(error, [message.to]) }, 'failed to send account notice')
      return outcomeOfFailure(error)
    }
  }
  const deliver = async (message: Mail, userId: UserId, messageId: string): Promise<void> => {
    const once = () => attempt(message, userId, messageId)
    try {
      if ((await attempts.untilServerWorks(once)) || (await attempts.again(once))) return
      logger.error({ why: 'all attempts failed' }, 'account notice dropped')
    } catch (err) {
      logger.error({ err }, 'account notice dropped')
    }
    givenUp?.inc()
  }

  /** Counts the notice. Its event is counted when the mail is sent, so that a crash before that does not prevent it. */
  const mayTell = async ({ kind }: AccountNotice, userId: UserId, messageId: string): Promise<boolean> => {
    if ((await limiters.perEvent.waitSeconds(messageId)) !== undefined) return false
    const ofUser = kind === 'new-device' ? limiters.newDevices : limiters.changes
    return (await ofUser.attempt(userId)) === undefined
  }

  const handle = async (envelope: Envelope): Promise<void> => {
    const event = authEventOf(envelope)
    const notice = noticeOf(event)
    const at = eventTime(envelope)
    if (!notice || !('userId' in event.data)) return
    const { userId } = event.data
    if (Math.abs(clockAndIds.now().getTime() - Date.parse(at)) >= newsForMs) return
    const to = await addressOf(userId)
    if (to === undefined || !(await mayTell(notice, userId, envelope.id))) return
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight)
    attempts.assertRunning()
    const message = { to, id: `account-${envelope.id}`, userIds: [userId], ...noticeMailOf(notice, { at, origin }) }
    const delivery = deliver(message, userId, envelope.id).finally(() => inFlight.delete(delivery))
    inFlight.add(delivery)
  }

  const name = 'account-notices'
  const consumer = await runConsumer({
    name,
    topics: ['auth'],
    bus,
    readModel: cursorsIn,
    continuity,
    logger,
    startAt: 'now',
    handle,
  })
  return {
    /** Cancels retries and resolves when no mail is under way. */
    stop: async () => {
      attempts.stop()
      await consumer.stop()
      await Promise.all(inFlight)
    },
  }
}
