import type { Role } from '@portal/contracts/auth/user'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Completion } from '../registration/completion.ts'
import { registrationDecider } from '../registration/decider.ts'
import type { RegisterDirectly } from '../registration/register-directly.ts'
import { userDecider } from '../user/decider.ts'
import type { Profile } from '../user/profile.ts'
import { setPassword } from '../user/set-password.ts'
import { studentCodeOf } from '../user/student-code.ts'

export type SeedAccountDeps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
  readonly completion: Completion
  readonly registerDirectly: RegisterDirectly
}

export type SeededPerson = Omit<Profile, 'studentCode'> & { readonly role: Exclude<Role, 'admin'> }

/** The password that a seeded account is to have. */
export type SeededPassword = {
  readonly hash: string
  isOf(storedHash: string): Promise<boolean>
}

/** 'address-taken': by an account of another role, which is left alone. */
export type SeedOutcome = 'created' | 'existing' | 'address-taken'

/** Sees to it that there is an account with this address and password. One that is there keeps its profile. */
export const createSeedAccount = (deps: SeedAccountDeps) => {
  const { eventStore, vault, clockAndIds, completion, registerDirectly } = deps

  const create = async ({ role, ...person }: SeededPerson, emailIndex: string, hash: string): Promise<void> => {
    const userId = userIdSchema.parse(clockAndIds.newId())
    const studentCode = role === 'student' ? studentCodeOf(userId, clockAndIds.now()) : ''
    const profile: Profile = { ...person, studentCode }
    await registerDirectly({
      userId,
      role,
      emailIndex,
      mobileIndex: vault.index('mobile', person.mobileNumber),
      profile: await vault.seal(userId, JSON.stringify(profile)),
      credential: await vault.seal(userId, hash),
    })
  }

  return async (person: SeededPerson, password: SeededPassword): Promise<SeedOutcome> => {
    const emailIndex = vault.index('email', person.personalEmail)
    const { state: registration } = await loadState(eventStore, registrationDecider, emailIndex)
    if (registration.status !== 'completed') {
      await create(person, emailIndex, password.hash)
      return 'created'
    }
    const { details } = registration
    if (details.role !== person.role) return 'address-taken'
    await completion.registerUser(details)
    const { state: user } = await loadState(eventStore, userDecider, details.userId)
    if (user.status !== 'active') return 'existing'
    const stored = await vault.open(user.userId, user.credential)
    if (stored !== undefined && !(await password.isOf(stored))) {
      await setPassword(eventStore, user.userId, await vault.seal(user.userId, password.hash))
    }
    return 'existing'
  }
}
