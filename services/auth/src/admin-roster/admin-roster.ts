import type { AdminRemoved } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { isActiveAdmin, type UserCommand, userDecider } from '../user/decider.ts'
import type { Directory } from '../user/directory.ts'
import { erasedEventId } from '../user/erasure.ts'
import { adminRosterDecider, type AdminRosterRejection, adminRosterStreamId, countAdmins } from './decider.ts'

type AdminRosterDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly directory: Pick<Directory, 'admins'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

type Change = { readonly command: UserCommand; eventId(index: number): string }

/** The change of the account that a removal leads to. The ids let the request and the auth reactor record it once. */
export const changeAfterRemoval = ({ removalId, userId, by, change }: AdminRemoved): Change => {
  const eventId = eventIdsOf('admin-removal-applied', removalId)
  switch (change.kind) {
    case 'role':
      return { command: { type: 'ChangeRole', role: change.role, by }, eventId }
    case 'deactivated':
      return { command: { type: 'DeactivateUser', reason: change.reason }, eventId }
    case 'erased':
      return { command: { type: 'EraseUser' }, eventId: erasedEventId(userId) }
  }
}

/** Decides in one stream who ceases to be an admin, so that one always stays. */
export const createAdminRoster = ({ eventStore, directory, clockAndIds }: AdminRosterDeps) => {
  /** The directory may be behind, so the accounts' own streams decide. */
  const activeAdmins = async (): Promise<readonly UserId[]> => {
    const roster = await loadState(eventStore, adminRosterDecider, adminRosterStreamId)
    const candidates = [...new Set([...(await directory.admins()), ...roster.state.added])]
    const accounts = await Promise.all(candidates.map((userId) => loadState(eventStore, userDecider, userId)))
    return accounts.flatMap(({ state }) => (state.status === 'active' && isActiveAdmin(state) ? [state.userId] : []))
  }

  return {
    count: async (): Promise<number> => {
      const known = await activeAdmins()
      const { state } = await loadState(eventStore, adminRosterDecider, adminRosterStreamId)
      return countAdmins(state, known)
    },

    /** Before an account becomes an active admin. */
    add: async (userId: UserId, metadata: EventMetadata): Promise<Result<void, AdminRosterRejection>> => {
      const command = { type: 'AddAdmin', userId, known: await activeAdmins() } as const
      const eventId = eventIdsOf('admin-added', clockAndIds.newId())
      const handled = await handleCommand(eventStore, adminRosterDecider, adminRosterStreamId, command, {
        eventId,
        metadata,
      })
      return handled.ok ? ok(undefined) : handled
    },

    /** Before an active admin ceases to be one. From here on the auth reactor completes the change if the request cannot. */
    remove: async (
      removal: Omit<AdminRemoved, 'removalId'>,
      metadata: EventMetadata,
    ): Promise<Result<AdminRemoved, AdminRosterRejection>> => {
      const recorded: AdminRemoved = { ...removal, removalId: clockAndIds.newId() }
      const command = { type: 'RemoveAdmin', removal: recorded, known: await activeAdmins() } as const
      const eventId = eventIdsOf('admin-removed', recorded.removalId)
      const handled = await handleCommand(eventStore, adminRosterDecider, adminRosterStreamId, command, {
        eventId,
        metadata,
      })
      return handled.ok ? ok(recorded) : handled
    },
  }
}
export type AdminRoster = ReturnType<typeof createAdminRoster>

/**
 * Adds an admin beyond any limit: for an operator, who must always be able to make one, and for an accepted invitation. `causeId`: a
 * repetition changes nothing.
 */
export const addAdminUnlimited = async (
  store: AdminRosterDeps['eventStore'],
  userId: UserId,
  causeId: string,
): Promise<void> => {
  const command = { type: 'AddAdmin', userId, known: 'unlimited' } as const
  const eventId = eventIdsOf('admin-added', causeId)
  await handleCommand(store, adminRosterDecider, adminRosterStreamId, command, { eventId })
}
