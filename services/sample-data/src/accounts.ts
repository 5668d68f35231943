import { registerDirectly, registerUser } from '@portal/auth/registration/completion'
import { registrationDecider } from '@portal/auth/registration/decider'
import { encryptDetails, studentCodeOf } from '@portal/auth/registration/details'
import { userDecider } from '@portal/auth/user/decider'
import { setPassword } from '@portal/auth/user/replace-password'
import type { Role } from '@portal/contracts/auth/user'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

export type AccountPorts = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
}

export type SeededPerson = {
  readonly role: Exclude<Role, 'admin'>
  readonly fullName: string
  readonly personalEmail: string
  readonly mobileNumber: string
  readonly universityName: string
}

/** The password that a seeded account gets. */
export type SeededPassword = {
  readonly hash: string
  isOf(storedHash: string): Promise<boolean>
}

/** 'address-taken': an account of another role has the address and is left unchanged. */
export type SeedResult = 'created' | 'existing' | 'address-taken'

const createAccount = async (
  { eventStore, vault, clockAndIds }: AccountPorts,
  { role, ...person }: SeededPerson,
  passwordHash: string,
): Promise<void> => {
  const userId = userIdSchema.parse(clockAndIds.newId())
  const studentCode = role === 'student' ? studentCodeOf(userId, clockAndIds.now()) : ''
  const profile = { ...person, studentCode }
  await registerDirectly(eventStore, await encryptDetails(vault, { userId, role, profile, passwordHash }))
}

/** Ensures an account with this address and password. An existing account keeps its profile. */
export const seedAccount = async (
  ports: AccountPorts,
  person: SeededPerson,
  password: SeededPassword,
): Promise<SeedResult> => {
  const { eventStore, vault } = ports
  const emailIndex = vault.index('email', person.personalEmail)
  const { state: registration } = await loadState(eventStore, registrationDecider, emailIndex)
  if (registration.status !== 'completed') {
    await createAccount(ports, person, password.hash)
    return 'created'
  }
  const { details } = registration
  if (details.role !== person.role) return 'address-taken'
  await registerUser(eventStore, details)
  const { state: user } = await loadState(eventStore, userDecider, details.userId)
  if (user.status !== 'active') return 'existing'
  const stored = await vault.decrypt(user.userId, user.credential)
  if (stored !== undefined && !(await password.isOf(stored))) {
    await setPassword(eventStore, user.userId, await vault.encrypt(user.userId, password.hash))
  }
  return 'existing'
}

/**
 * Ids of the users with these addresses, in the same order. Skips unknown addresses, other roles and deleted accounts.
 */
export const findAccounts = async (
  { eventStore, vault }: Pick<AccountPorts, 'eventStore' | 'vault'>,
  emails: readonly string[],
  role: Role,
): Promise<readonly UserId[]> => {
  const found: UserId[] = []
  for (const email of emails) {
    const { state } = await loadState(eventStore, registrationDecider, vault.index('email', email))
    if (state.status !== 'completed' || state.details.role !== role) continue
    const { userId } = state.details
    const user = await loadState(eventStore, userDecider, userId)
    if (user.state.status === 'active') found.push(userId)
  }
  return found
}
