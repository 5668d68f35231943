import { type CatalogEvent, catalogEventSchema } from '@portal/contracts/catalog/events'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import { createRunningState } from '@portal/platform/async/running-state'
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
  readonly limiters: {
    /** Protects the mailbox of a person whom many admins or programs invite. */
    readonly perAddress: AttemptLimiter
    /** Recognizes a message that comes again. */
    readonly perEvent: AttemptLimiter
  }
}

/** Older invitations are not mailed: the cursor went back with an emptied read model or a restored log. An admin can send them again. */
const newsForMs = 3_600_000
/** At most twenty a second. */
const pauseMs = 50
const defaultRetryDelaysMs = [5_000, 30_000, 120_000, 300_000, 900_000]
const maxRetrying = 100

const readCatalogEvent = storedEventReader(catalogEventSchema)

type Sent = Extract<CatalogEvent, { type: 'LearnerInvited' | 'LearnerInvitationResent' }>['data']

/**
 * Mails people without an account whom the catalog invites. A replay does not run it. The address is unreadable once the invitation has
 * ended, so that no mail goes out then.
 */
export const startLearnerInvitationMails = async (
  deps: LearnerInvitationMailsDeps,
): Promise<Pick<Subscription, 'stop'>> => {
  const { bus, logger, readModels, eventStore, vault, clockAndIds, mail, origin, limiters } = deps
  const { retryDelaysMs = defaultRetryDelaysMs } = deps
  const state = createRunningState()
  const retrying = new Set<Promise<void>>()

  /** Undefined if no mail is due. */
  const addressOf = async ({ invitationId, emailIndex, address }: Sent): Promise<string | undefined> => {
    const { state: registration } = await loadState(eventStore, registrationDecider, emailIndex)
    return registration.status === 'completed' ? undefined : vault.decrypt(invitationId, address)
  }

  /** Returns whether nothing is left to do. */
  const attempt = async (sent: Sent, messageId: string): Promise<boolean> => {
    const to = await addressOf(sent)
    if (to === undefined) return true
    try {
      const id = `learner-invitation-${messageId}`
      await mail.send({ to, id, userIds: [sent.invitationId], ...learnerInvitationMailOf({ ...sent, origin }) })
    } catch (error) {
      logger.warn({ reason: redactError(error, [to]) }, 'failed to send invitation of learner')
      return false
    }
    await limiters.perEvent.attempt(messageId)
    return true
  }

  const retry = async (sent: Sent, messageId: string): Promise<void> => {
    try {
      for (const delayMs of retryDelaysMs) {
        await sleep(delayMs, { signal: state.signal })
        if (state.isStopped() || (await attempt(sent, messageId))) return
      }
    } catch (err) {
      logger.warn({ err }, 'an invitation of a learner is not sent again')
    }
  }

  const send = async (sent: Sent, envelope: Envelope): Promise<void> => {
    const ageMs = Math.abs(clockAndIds.now().getTime() - Date.parse(eventTime(envelope)))
    if (ageMs >= newsForMs || (await limiters.perEvent.waitSeconds(envelope.id)) !== undefined) return
    if ((await limiters.perAddress.attempt(sent.emailIndex)) !== undefined)
      return logger.warn('too many invitations of an address, one is not sent')
    while (retrying.size >= maxRetrying) await Promise.race(retrying)
    if (!(await attempt(sent, envelope.id))) {
      const later = retry(sent, envelope.id).finally(() => retrying.delete(later))
      retrying.add(later)
    }
    await sleep(pauseMs, { signal: state.signal })
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
      state.stop()
      await consumer.stop()
      await Promise.all(retrying)
    },
  }
}
