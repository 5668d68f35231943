import { type CatalogEvent, catalogEventSchema } from '@portal/contracts/catalog/events'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { sleep } from '@portal/platform/async/timers'
import type { Subscription } from '@portal/platform/bus/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { loadState } from '@portal/platform/decider/handle-command'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { MailSender } from '@portal/platform/outbound/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { createMailAttempts, type MailOutcome, outcomeOfFailure } from '../mail-attempts.ts'
import { redactError } from '../redact-error.ts'
import { registrationDecider } from '../registration/decider.ts'
import { learnerInvitationMailOf } from './mail-text.ts'

type LearnerInvitationMailsDeps = Pick<ServiceDeps, 'bus' | 'logger'> & {
  readonly readModels: Pick<ReadModels, 'control' | 'continuity'>
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt' | 'erase'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly mail: Pick<MailSender, 'send'>
  readonly origin: string
  /** Between attempts to send one mail. */
  readonly retryDelaysMs?: readonly number[] | undefined
  /** Counts mails that were never sent. */
  readonly givenUp?: { inc(): void } | undefined
  readonly limiters: {
    /** Protects the mailbox of a person whom many admins or programs invite. */
    readonly perAddress: AttemptLimiter
    /** Recognizes a message that comes again. */
    readonly perEvent: AttemptLimiter
  }
}

/** At most twenty a second. */
const pauseMs = 50
const defaultRetryDelaysMs = [5_000, 30_000, 120_000, 300_000, 900_000]
const maxRetrying = 100

const readCatalogEvent = storedEventReader(catalogEventSchema)

type Sent = Extract<CatalogEvent, { type: 'LearnerInvited' | 'LearnerInvitationResent' }>['data']

/**
 * Mails people without an account whom the catalog invites. A replay does not run it. The address is unreadable once the invitation has
 * ended, so that no mail goes out then. While the mail server is down, the message waits with all after it, also across restarts.
 */
export const startLearnerInvitationMails = async (
  deps: LearnerInvitationMailsDeps,
): Promise<Pick<Subscription, 'stop'>> => {
  const { bus, logger, readModels, eventStore, vault, clockAndIds, mail, origin, limiters, givenUp } = deps
  const { retryDelaysMs = defaultRetryDelaysMs } = deps
  const attempts = createMailAttempts(retryDelaysMs)
  const retrying = new Set<Promise<void>>()

  /** Undefined if no mail is due. */
  const addressOf = async (sent: Sent): Promise<string | undefined> => {
    const { invitationId, emailIndex, address, expiresAt } = sent
    if (clockAndIds.now().getTime() >= Date.parse(expiresAt)) return undefined
    const { state: registration } = await loadState(eventStore, registrationDecider, emailIndex)
    return registration.status === 'completed' ? undefined : vault.decrypt(invitationId, address)
  }

  const attempt = async (sent: Sent, messageId: string): Promise<MailOutcome> => {
    const to = await addressOf(sent)
    // Another process may have mailed it, if the message has moved there during a long wait.
    if (to === undefined || (await limiters.perEvent.waitSeconds(messageId)) !== undefined) return 'settled'
    try {
      const id = `learner-invitation-${messageId}`
      await mail.send({ to, id, userIds: [sent.invitationId], ...learnerInvitationMailOf({ ...sent, origin }) })
    } catch (error) {
      logger.warn({ reason: redactError(error, [to]) }, 'failed to send invitation of learner')
      return outcomeOfFailure(error)
    }
    await Promise.all([limiters.perEvent.attempt(messageId), limiters.perAddress.attempt(sent.emailIndex)])
    return 'settled'
  }

  const retry = async (sent: Sent, messageId: string): Promise<void> => {
    try {
      if (await attempts.again(() => attempt(sent, messageId))) return
      logger.error({ why: 'all attempts failed' }, 'invitation of learner dropped')
    } catch (err) {
      logger.error({ err }, 'invitation of learner dropped')
    }
    givenUp?.inc()
  }

  const send = async (sent: Sent, envelope: Envelope): Promise<void> => {
    if ((await limiters.perAddress.waitSeconds(sent.emailIndex)) !== undefined)
      return logger.warn('too many invitations of an address, one is not sent')
    while (retrying.size >= maxRetrying) await Promise.race(retrying)
    attempts.assertRunning()
    if (!(await attempts.untilServerWorks(() => attempt(sent, envelope.id)))) {
      const later = retry(sent, envelope.id).finally(() => retrying.delete(later))
      retrying.add(later)
    }
    await sleep(pauseMs, { signal: attempts.signal })
  }

  const handle = async (envelope: Envelope): Promise<void> => {
    // Skip other messages without parsing them.
    if (!envelope.type.startsWith('LearnerInvit')) return
    const event = readCatalogEvent(envelope)
    switch (event.type) {
      case 'LearnerInvited':
      case 'LearnerInvitationResent':
        return send(event.data, envelope)
      case 'LearnerInvitationWithdrawn':
      case 'LearnerInvitationAccepted':
      case 'LearnerInvitationExpired':
        // Also removes the mail from the mailbox of a developer.
        await vault.erase(event.data.invitationId)
    }
  }

  const consumer = await runConsumer({
    name: 'learner-invitation-mails',
    topics: ['catalog'],
    bus,
    readModel: readModels.control,
    continuity: readModels.continuity,
    logger,
    startAt: 'now',
    handle,
  })
  return {
    /** Cancels retries and resolves when no mail is under way. */
    stop: async () => {
      attempts.stop()
      await consumer.stop()
      await Promise.all(retrying)
    },
  }
}
