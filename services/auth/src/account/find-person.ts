import { type AccountHistoryEntry, maxHistoryEntries, type Person } from '@portal/contracts/auth/accounts'
import type { UserId } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { registrationDecider } from '../registration/decider.ts'
import { type CurrentSessions, presentSession } from '../session/current-sessions.ts'
import { secondFactorDecider } from '../second-factor/decider.ts'
import { isOn } from '../second-factor/factors.ts'
import { isDeactivated, userDecider } from '../user/decider.ts'
import type { FindUser, PresentUser } from '../user/directory.ts'
import { openProfile } from '../user/profile.ts'
import {
  type HistoryRecord,
  recordOfRegistrationEvent,
  recordOfSecondFactorEvent,
  recordOfUserEvent,
} from './history.ts'

type FindPersonDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly presentUser: PresentUser
  readonly findUser: FindUser
  readonly currentSessions: CurrentSessions
}

/** Reads a person from the log, so that an admin sees each change at once, and where they are signed in. Undefined for an unknown or erased one. */
export const createFindPerson = ({ eventStore, vault, presentUser, findUser, currentSessions }: FindPersonDeps) => {
  const readAccount = async (userId: UserId) => {
    const records: HistoryRecord[] = []
    const { state } = await loadState(eventStore, userDecider, userId, (event, recorded) => {
      const record = recordOfUserEvent(event, recorded)
      if (record) records.push(record)
    })
    return { state, records }
  }

  const readAddress = async (userId: UserId, emailIndex: string) => {
    const records: HistoryRecord[] = []
    const { state } = await loadState(eventStore, registrationDecider, emailIndex, (event, recorded) => {
      const record = recordOfRegistrationEvent(userId, event, recorded)
      if (record) records.push(record)
    })
    const emailVerified = state.status === 'completed' && state.details.userId === userId && state.isEmailProved
    return { emailVerified, records }
  }

  const readSecondFactor = async (userId: UserId) => {
    const records: HistoryRecord[] = []
    const { state } = await loadState(eventStore, secondFactorDecider, userId, (event, recorded) => {
      const record = recordOfSecondFactorEvent(event, recorded)
      if (record) records.push(record)
    })
    return { hasSecondFactor: isOn(state), records }
  }

  const nameOf = async (doer: HistoryRecord['doer']): Promise<string | undefined> => {
    if (doer === undefined) return undefined
    return 'operator' in doer ? doer.operator : (await findUser(doer.userId))?.fullName
  }

  const presentHistory = (userId: UserId, records: readonly HistoryRecord[]): Promise<AccountHistoryEntry[]> =>
    Promise.all(
      records.map(async ({ doer, encryptedReason, ...entry }) => {
        const by = await nameOf(doer)
        const reason = encryptedReason && (await vault.decrypt(userId, encryptedReason))
        return { ...entry, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) }
      }),
    )

  return async (userId: UserId): Promise<Person | undefined> => {
    const { state, records } = await readAccount(userId)
    if (state.status !== 'active') return undefined
    const profile = await openProfile(vault, userId, state.profile)
    if (!profile) return undefined
    const [address, secondFactor, sessions] = await Promise.all([
      readAddress(userId, state.emailIndex),
      readSecondFactor(userId),
      currentSessions({ userId, role: state.role }),
    ])
    const registeredAt = records.find(({ what }) => what === 'registered')?.at ?? ''
    const newest = [...records, ...address.records, ...secondFactor.records]
      .toReversed()
      .toSorted((a, b) => b.at.localeCompare(a.at))
      .slice(0, maxHistoryEntries)
    const deactivationReason = state.deactivatedFor && (await vault.decrypt(userId, state.deactivatedFor))
    return {
      ...(await presentUser(userId, state.role, profile)),
      emailVerified: address.emailVerified,
      state: isDeactivated(state) ? 'deactivated' : 'active',
      ...(deactivationReason !== undefined && { deactivationReason }),
      registeredAt,
      hasSecondFactor: secondFactor.hasSecondFactor,
      sessions: sessions.map(presentSession),
      history: await presentHistory(userId, newest),
    }
  }
}
export type FindPerson = ReturnType<typeof createFindPerson>
