import type { AdminRemoved } from '@portal/contracts/auth/events'
import { limits } from '@portal/contracts/shared/rules'
import type { UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type AdminRosterEvent, adminRosterEventSchema } from './events.ts'

/** `known`: the accounts that are active admins by their own streams. */
export type AdminRosterCommand =
  | { readonly type: 'AddAdmin'; readonly userId: UserId; readonly known: readonly UserId[] | 'unlimited' }
  | { readonly type: 'RemoveAdmin'; readonly removal: AdminRemoved; readonly known: readonly UserId[] }

type AdminRosterState = {
  /** Whose last event is AdminAdded. Their account may not have changed yet. */
  readonly added: ReadonlySet<UserId>
  /** Whose last event is AdminRemoved. Their account may not have changed yet. */
  readonly removed: ReadonlySet<UserId>
}

/**
 * 'removed-meanwhile': another admin has just removed this one. 'actor-removed': the one who decides it is no longer an admin.
 */
export type AdminRosterRejection = 'last-admin' | 'too-many-admins' | 'removed-meanwhile' | 'actor-removed'

export const adminRosterStreamId = 'all'

/**
 * One stream for all admins: the expected revision lets one of two admins win who remove each other at the same moment. It does not
 * list the admins, because accounts are the record of that. It orders the changes that their streams cannot show yet.
 */
export const adminRosterDecider: Decider<AdminRosterState, AdminRosterCommand, AdminRosterEvent, AdminRosterRejection> =
  {
    category: 'admins',
    initial: { added: new Set(), removed: new Set() },

    decide(command, { added, removed }) {
      switch (command.type) {
        case 'AddAdmin': {
          const { userId, known } = command
          if (added.has(userId)) return ok([])
          if (known !== 'unlimited' && countAdmins({ added, removed }, known) >= limits.admins)
            return rejected('too-many-admins')
          return ok([{ type: 'AdminAdded', data: { userId } }])
        }
        case 'RemoveAdmin': {
          const { removal, known } = command
          if (removed.has(removal.userId)) return rejected('removed-meanwhile')
          const remaining = without(known, removed).filter((userId) => userId !== removal.userId)
          if (remaining.length === 0) return rejected('last-admin')
          if (removed.has(removal.by)) return rejected('actor-removed')
          return ok([{ type: 'AdminRemoved', data: removal }])
        }
      }
    },

    evolve({ added, removed }, { type, data: { userId } }) {
      const changed = new Set([userId])
      switch (type) {
        case 'AdminAdded':
          return { added: new Set([...added, userId]), removed: new Set(without([...removed], changed)) }
        case 'AdminRemoved':
          return { added: new Set(without([...added], changed)), removed: new Set([...removed, userId]) }
      }
    },

    parse: storedEventReader(adminRosterEventSchema),
  }

/** With those whose account will be an admin's in a moment. */
export const countAdmins = ({ added, removed }: AdminRosterState, known: readonly UserId[]): number =>
  new Set([...without(known, removed), ...added]).size

const without = (userIds: readonly UserId[], excluded: ReadonlySet<UserId>): readonly UserId[] =>
  userIds.filter((userId) => !excluded.has(userId))
