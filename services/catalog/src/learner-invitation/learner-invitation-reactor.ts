import { authEventSchema } from '@portal/contracts/auth/events'
import { catalogEventSchema } from '@portal/contracts/catalog/events'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import { type Polling, startPolling } from '@portal/platform/async/polling'
import type { Subscription } from '@portal/platform/bus/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { AcceptLearnerInvitations } from './accept-learner-invitations.ts'
import { openInvitationsOf } from './decider.ts'
import type { LearnerInvitationReader } from './projection.ts'
import type { RecordLearnerInvitation } from './record-learner-invitation.ts'

type ReactorDeps = Pick<ServiceDeps, 'bus' | 'logger'> & {
  readonly readModels: Pick<ReadModels, 'control' | 'continuity'>
  readonly vault: Pick<PersonalDataVault, 'erase'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly invitations: Pick<LearnerInvitationReader, 'expired'>
  readonly recordInvitation: RecordLearnerInvitation
  readonly acceptInvitations: AcceptLearnerInvitations
}

const readAuthEvent = storedEventReader(authEventSchema)
const readCatalogEvent = storedEventReader(catalogEventSchema)

const sweepEveryMs = 3_600_000

/**
 * Enrolls people who were invited, once they have an account of that address. An invitation that is recorded after its address has registered is
 * found by its own message. Ends those that have expired, and those of an address whose account is erased.
 */
export const createLearnerInvitationReactor = (deps: ReactorDeps) => {
  const { bus, logger, readModels, vault, clockAndIds, invitations, recordInvitation, acceptInvitations } = deps
  let consumer: Pick<Subscription, 'stop'> | undefined
  let sweeping: Polling | undefined

  /** Those of before: after a message that comes again, the address may be invited anew. */
  const endErased = async (emailIndex: string, erasedAt: string, metadata: EventMetadata): Promise<void> => {
    for (const { invitationId, invitedAt } of openInvitationsOf(await recordInvitation.load(emailIndex))) {
      if (Date.parse(invitedAt) > Date.parse(erasedAt)) continue
      const command = { type: 'ExpireLearnerInvitation', invitationId, reason: 'erased' } as const
      await recordInvitation.record(emailIndex, command, { metadata })
    }
  }

  const onAuth = async (envelope: Envelope, metadata: EventMetadata): Promise<void> => {
    const { type } = envelope
    // Skip other messages without parsing them.
    if (type !== 'UserRegistered' && type !== 'EmailProved' && type !== 'UserErased') return
    const event = readAuthEvent(envelope)
    if (event.type === 'UserErased') await endErased(event.data.emailIndex, eventTime(envelope), metadata)
    else if (event.type === 'UserRegistered' || event.type === 'EmailProved')
      await acceptInvitations(event.data.emailIndex, metadata)
  }

  const onCatalog = async (envelope: Envelope, metadata: EventMetadata): Promise<void> => {
    if (!envelope.type.startsWith('LearnerInvit')) return
    const event = readCatalogEvent(envelope)
    switch (event.type) {
      case 'LearnerInvited':
      case 'LearnerInvitationResent':
        return acceptInvitations(event.data.emailIndex, metadata)
      case 'LearnerInvitationAccepted':
        await vault.erase(event.data.invitationId)
        return acceptInvitations(event.data.emailIndex, metadata)
      case 'LearnerInvitationWithdrawn':
      case 'LearnerInvitationExpired':
        await vault.erase(event.data.invitationId)
    }
  }

  const sweep = async (): Promise<void> => {
    const now = clockAndIds.now()
    for await (const { emailIndex, invitationId } of invitations.expired(now)) {
      const command = { type: 'ExpireLearnerInvitation', invitationId, reason: 'expired', now } as const
      await recordInvitation.record(emailIndex, command, { metadata: {} })
    }
  }

  return {
    sweep,
    start: async (): Promise<void> => {
      consumer = await runConsumer({
        name: 'learner-invitations',
        topics: ['auth', 'catalog'],
        bus,
        readModel: readModels.control,
        continuity: readModels.continuity,
        logger,
        handle: (envelope) => {
          const { id: causationId, correlationId } = envelope
          const metadata = { causationId, ...(correlationId !== undefined && { correlationId }) }
          return envelope.topic === 'auth' ? onAuth(envelope, metadata) : onCatalog(envelope, metadata)
        },
      })
      sweeping = startPolling(sweep, {
        everyMs: sweepEveryMs,
        onFailure: (err) => logger.warn({ err }, 'failed to end expired invitations of learners'),
      })
    },
    stop: async (): Promise<void> => {
      await consumer?.stop()
      await sweeping?.stop()
    },
  }
}
