import type { ErasureReceipt } from '@portal/contracts/auth/accounts'
import type { UserId } from '@portal/contracts/shared/ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { KeyBytes, PersonalDataVault } from '@portal/platform/personal-data/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { Logger } from 'pino'
import { registrationDecider } from '../registration/decider.ts'
import { waitForUserEvent } from './wait-for-user-event.ts'
import { type UnlessAdmin, userDecider } from './decider.ts'
import type { ProfileCache } from './profile.ts'

type ErasureDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly vault: Pick<PersonalDataVault, 'erase'>
  readonly profiles: ProfileCache
  readonly securityLog: SecurityLog
  readonly logger: Pick<Logger, 'info'>
}

const messages: Readonly<Record<Exclude<KeyBytes, 'erased-before'>, string>> = {
  gone: 'user erased, key destroyed',
  'awaiting-scavenge': 'user erased, key destroyed; its bytes stay on disk until make scavenge',
  'held-by-reader': 'user erased, key destroyed; its bytes stay on disk until another connection stops reading',
}

type Erased = { readonly userId: UserId; readonly emailIndex: string }
/** `id` of the recorded event, and its time. */
type RecordedErasure = Erased & { readonly id: string; readonly at: string }

type Log = Pick<ErasureDeps, 'eventStore'>
type Keys = Pick<ErasureDeps, 'vault'>

export const erasedEventId = (userId: UserId) => eventIdsOf('user-erased', userId)

/** Records the erasure of a user; a repetition changes nothing. */
const recordErasure = ({ eventStore }: Log, userId: UserId, metadata: EventMetadata, unless: UnlessAdmin = {}) => {
  const command = { type: 'EraseUser', ...unless } as const
  return handleCommand(eventStore, userDecider, userId, command, { eventId: erasedEventId(userId), metadata })
}

const releaseEmail = async ({ eventStore }: Log, { userId, emailIndex }: Erased, metadata: EventMetadata) => {
  await handleCommand(
    eventStore,
    registrationDecider,
    emailIndex,
    { type: 'ReleaseEmail', userId },
    { eventId: eventIdsOf('email-released', userId), metadata },
  )
}

const recordedErasure = async ({ eventStore }: Log, userId: UserId): Promise<RecordedErasure | undefined> => {
  for await (const recorded of eventStore.read(streamOf(userDecider.category, userId))) {
    const event = userDecider.parse(recorded)
    if (event.type === 'UserErased') return { ...event.data, id: recorded.id, at: recorded.at }
  }
  return undefined
}

/**
 * Erases a user in a log that serves no requests, as after a restore: records it, destroys the key, releases the e-mail
 * address. A repetition changes nothing and returns 'erased-before'. With 'no-such-user' the log does not know the
 * user, but a key is destroyed anyway.
 */
export const eraseInLog = async (
  { eventStore, vault }: Log & Keys,
  userId: UserId,
  metadata: EventMetadata = {},
): Promise<'erased' | 'erased-before' | 'no-such-user'> => {
  const handled = await recordErasure({ eventStore }, userId, metadata)
  await vault.erase(userId)
  if (!handled.ok) return 'no-such-user'
  const erased = await recordedErasure({ eventStore }, userId)
  if (erased !== undefined) await releaseEmail({ eventStore }, erased, metadata)
  const { events, isRepetition } = handled.value
  return events.length > 0 && !isRepetition ? 'erased' : 'erased-before'
}

export const createErasure = ({ eventStore, readModels, vault, profiles, securityLog, logger }: ErasureDeps) => {
  /** The steps after the event is recorded. Safe to repeat after a crash. */
  const finishErasure = async (erased: Erased, metadata: EventMetadata): Promise<void> => {
    const { userId } = erased
    const keyBytes = await vault.erase(userId)
    if (keyBytes !== 'erased-before') logger.info({ userId, keyBytes }, messages[keyBytes])
    profiles.drop(userId)
    await releaseEmail({ eventStore }, erased, metadata)
  }

  return {
    finishErasure,

    /** Erases a user permanently: their personal data becomes unreadable and their sessions end. */
    eraseUser: async (
      userId: UserId,
      metadata: EventMetadata = {},
      unless: UnlessAdmin = {},
    ): Promise<'erased' | 'no-such-user' | 'is-admin'> => {
      const handled = await recordErasure({ eventStore }, userId, metadata, unless)
      if (!handled.ok) return handled.error === 'is-admin' ? handled.error : 'no-such-user'
      const { isRepetition } = handled.value
      const [erased] = handled.value.events
      if (erased?.type === 'UserErased') {
        if (!isRepetition) securityLog.record({ event: 'user-erased', result: 'ok', target: userId })
        await finishErasure(erased.data, metadata)
        if (handled.value.position !== undefined) await waitForUserEvent(readModels, erased, handled.value.position)
      }
      return 'erased'
    },

    /** Shows that a user was erased; undefined if they were not. */
    receiptOf: async (userId: UserId): Promise<ErasureReceipt | undefined> => {
      const recorded = await recordedErasure({ eventStore }, userId)
      return recorded && { id: recorded.id, erasedAt: recorded.at }
    },
  }
}
export type Erasure = ReturnType<typeof createErasure>
