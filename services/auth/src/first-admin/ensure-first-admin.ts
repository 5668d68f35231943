import { userIdSchema } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { generatePassword } from '../passwords/generate-password.ts'
import { guessability } from '../passwords/guessable-password.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { registerDirectly } from '../registration/completion.ts'
import { registrationDecider } from '../registration/decider.ts'
import { encryptAdminDetails } from '../registration/details.ts'
import type { RegistrationDetails } from '../registration/events.ts'
import { userDecider } from '../user/decider.ts'
import { openProfile } from '../user/profile.ts'
import { setPassword } from '../user/replace-password.ts'
import {
  attemptOf,
  type FirstAdminCommand,
  firstAdminDecider,
  type FirstAdminState,
  firstAdminStreamId,
} from './decider.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
  readonly passwords: PasswordHashing
}

type FirstAdminOptions = {
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** Whether the password has to be replaced within `firstPasswordMs`. */
  readonly isPasswordTemporary?: boolean
}

export type FirstAdmin = {
  readonly email: string
  readonly password: string
  readonly isPasswordGenerated: boolean
  /**
   * To be called once both have been shown to whoever started the portal. Until then each start makes the password anew:
   * only its hash is kept, so nobody could look it up.
   */
  recordShown(): Promise<void>
}

/** There cannot be a first admin as wished. The message is one line, meant for whoever starts the process. */
export class FirstAdminError extends Error {
  override readonly name = 'FirstAdminError'
  readonly isUserFacing = true
}

const defaultEmail = 'admin@example.com'
/** How long a temporary first password can be used. */
const firstPasswordMs = 72 * 60 * 60 * 1_000

const rejectGuessable = (password: string, personalEmail: string): void => {
  const why = guessability(password, { personalEmail })
  if (why === 'common') throw new FirstAdminError('ADMIN_PASSWORD is too common; choose one that is harder to guess')
  if (why === 'own')
    throw new FirstAdminError(
      'ADMIN_PASSWORD is too close to ADMIN_EMAIL or the name of the portal; choose another one',
    )
}

export const createEnsureFirstAdmin = (deps: Deps) => {
  const { eventStore, vault, clockAndIds, passwords } = deps

  const handle = (command: FirstAdminCommand) =>
    handleCommand(eventStore, firstAdminDecider, firstAdminStreamId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
    })

  /** An admin's account can only be that of another process, which has chosen a moment ago: choosing will find out. */
  const rejectTakenEmail = async (emailIndex: string): Promise<void> => {
    const { state } = await loadState(eventStore, registrationDecider, emailIndex)
    if (state.status === 'completed' && state.details.role !== 'admin') {
      throw new FirstAdminError('ADMIN_EMAIL is the address of an account that is not an admin; choose another one')
    }
  }

  /** Who was chosen before stays chosen: that address may have an account by now. */
  const detailsOf = async (
    state: FirstAdminState,
    requestedEmail: string,
    password: string,
  ): Promise<{ readonly email: string; readonly details: RegistrationDetails }> => {
    const passwordHash = await passwords.hash(password)
    if (state.status !== 'none') {
      const profile = await openProfile(vault, state.details.userId, state.details.profile)
      if (profile === undefined) throw new FirstAdminError('The first admin was erased before anybody could log in')
      const credential = await vault.encrypt(state.details.userId, passwordHash)
      return { email: profile.personalEmail, details: { ...state.details, credential } }
    }
    await rejectTakenEmail(vault.index('email', requestedEmail))
    const userId = userIdSchema.parse(clockAndIds.newId())
    return {
      email: requestedEmail,
      details: await encryptAdminDetails(vault, { userId, email: requestedEmail, passwordHash }),
    }
  }

  /** An earlier attempt, or the follow-up of one, may have made the account with a password that nobody knows. */
  const makeAccount = async (details: RegistrationDetails): Promise<void> => {
    await registerDirectly(eventStore, details)
    const { state } = await loadState(eventStore, userDecider, details.userId)
    if (state.status !== 'active')
      throw new FirstAdminError('The address of the first admin belongs to another account')
    if (state.credential !== details.credential) await setPassword(eventStore, details.userId, details.credential)
  }

  /**
   * Sees to it that a new portal has an admin. Undefined when it had one, or when another process that was started at the
   * same time is making one.
   */
  return async (options: FirstAdminOptions = {}): Promise<FirstAdmin | undefined> => {
    const { state } = await loadState(eventStore, firstAdminDecider, firstAdminStreamId)
    if (state.status === 'shown') return undefined
    const wishedEmail = (options.email ?? defaultEmail).toLowerCase()
    if (options.password !== undefined) rejectGuessable(options.password, wishedEmail)
    const password = options.password ?? generatePassword()
    const { email, details } = await detailsOf(state, wishedEmail, password)
    const passwordExpiresAt = options.isPasswordTemporary
      ? new Date(clockAndIds.now().getTime() + firstPasswordMs).toISOString()
      : undefined
    const chosen = await handle({ type: 'ChooseFirstAdmin', after: attemptOf(state), details, passwordExpiresAt })
    if (!chosen.ok) return undefined
    await makeAccount(details)
    const attempt = attemptOf(chosen.value.state)
    return {
      email,
      password,
      isPasswordGenerated: options.password === undefined,
      recordShown: async () => {
        await handle({ type: 'RecordFirstAdminShown', attempt })
      },
    }
  }
}
export type EnsureFirstAdmin = ReturnType<typeof createEnsureFirstAdmin>
