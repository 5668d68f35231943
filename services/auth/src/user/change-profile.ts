import { isDeepStrictEqual } from 'node:util'
import type { User } from '@portal/contracts/auth/user'
import type { Language } from '@portal/contracts/shared/languages'
import type { UserId } from '@portal/contracts/shared/ids'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForUserEvent } from './wait-for-user-event.ts'
import { userDecider } from './decider.ts'
import type { PresentUser } from './directory.ts'
import { openProfile, type Profile } from './profile.ts'

type ChangeProfileDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly vault: PersonalDataVault
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly presentUser: PresentUser
}

type ProfileChange = Partial<Pick<Profile, 'fullName' | 'universityName' | 'universityId' | 'mobileNumber'>> & {
  readonly notificationLanguage?: Language | undefined
}

const profileAfter = (before: Profile, { notificationLanguage, ...change }: ProfileChange): Profile => {
  const { notificationLanguage: current, ...kept } = { ...before, ...change }
  const language = notificationLanguage ?? current
  return language === undefined || language === 'en' ? kept : { ...kept, notificationLanguage: language }
}

const inEnglish = (profile: Profile): Profile => ({ ...profile, notificationLanguage: '' })

/** Changes the profile of a user and waits for the projections. Returns undefined for an unknown or erased user. */
export const createChangeProfile = ({ eventStore, readModels, vault, clockAndIds, presentUser }: ChangeProfileDeps) => {
  const runExclusive = createKeyedMutex()

  const record = async (userId: UserId, change: ProfileChange, metadata: EventMetadata) => {
    const { state } = await loadState(eventStore, userDecider, userId)
    if (state.status !== 'active') return undefined
    const before = await openProfile(vault, userId, state.profile)
    if (before === undefined) return undefined
    const after = profileAfter(before, change)
    const user = await presentUser(userId, state.role, after)
    if (isDeepStrictEqual(after, before)) return { user, events: [], position: undefined }

    const profile = await vault.encrypt(userId, JSON.stringify(after))
    const isLanguageOnly = isDeepStrictEqual(inEnglish(after), inEnglish(before))
    const handled = await handleCommand(
      eventStore,
      userDecider,
      userId,
      { type: 'ChangeProfile', profile, isLanguageOnly },
      { eventId: eventIdsOf(clockAndIds.newId()), metadata },
    )
    return handled.ok ? { user, ...handled.value } : undefined
  }

  return async (userId: UserId, change: ProfileChange, metadata: EventMetadata): Promise<User | undefined> => {
    const recorded = await runExclusive(userId, () => record(userId, change, metadata))
    if (!recorded) return undefined
    const { user, events, position } = recorded
    const [changed] = events
    if (changed && position !== undefined) await waitForUserEvent(readModels, changed, position)
    return user
  }
}
export type ChangeProfile = ReturnType<typeof createChangeProfile>
