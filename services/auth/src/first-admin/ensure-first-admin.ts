import { newPassword } from '@portal/contracts/shared/rules'
import { cleanEmail } from '@portal/contracts/shared/typed-input'
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

type FirstAdminDeps = {
  readonly eventStore: EventStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: ClockAndIds
  readonly passwords: PasswordHashing
}

type FirstAdminOptions = {
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** Whether the password must be replaced within `firstPasswordMs`. */
  readonly isPasswordTemporary?: boolean
}

type FirstAdmin = {
  readonly email: string
  readonly password: string
  readonly isPasswordGenerated: boolean
  /**
   * Call it after the e-mail address and the password have been displayed. Until then each start generates a new
   * password, because only its hash is stored.
   */
  recordShown(): Promise<void>
}

/** The settings of the first admin are invalid. The message is one line for the operator. */
export class FirstAdminError extends Error {
  override readonly name = 'FirstAdminError'
  readonly isUserFacing = true
}

const defaultEmail = 'admin@example.com'
/** How long a temporary first password is valid. */
const firstPasswordMs = 72 * 60 * 60 * 1_000

const rejectWeak = (password: string): void => {
  if (newPassword.safeParse(password).success) return
  throw new FirstAdminError(
    'ADMIN_PASSWORD must be a password of at least 8 characters with an uppercase letter, a lowercase letter, a digit and a special character',
  )
}

const rejectGuessable = (password: string, personalEmail: string): void => {
  const why = guessability(password, { personalEmail })
  if (why === 'common') throw new FirstAdminError('ADMIN_PASSWORD is too common; choose one that is harder to guess')
  if (why === 'own')
    throw new FirstAdminError(
      'ADMIN_PASSWORD is too close to ADMIN_EMAIL or the name of the portal; choose another one',
    )
}

export const createEnsureFirstAdmin = (deps: FirstAdminDeps) => {
  const { eventStore, vault, clockAndIds, passwords } = deps

  const handle = (command: FirstAdminCommand) =>
    handleCommand(eventStore, firstAdminDecider, firstAdminStreamId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
    })

  /** Ignores accounts of admins: another process may have just chosen one, and the decider detects that. */
  const rejectTakenEmail = async (emailIndex: string): Promise<void> => {
    const { state } = await loadState(eventStore, registrationDecider, emailIndex)
    if (state.status === 'completed' && state.details.role !== 'admin') {
      throw new FirstAdminError('ADMIN_EMAIL is the address of an account that is not an admin; choose another one')
    }
  }

  /** Keeps the admin of an earlier attempt, whose address may have an account already. */
  const detailsOf = async (
    state: FirstAdminState,
    requestedEmail: string,
    password: string,
  ): Promise<{ readonly email: string; readonly details: RegistrationDetails }> => {
    const passwordHash = await passwords.hash(password)
    if (state.status !== 'none') {
      const profile = await openProfile(vault, state.details.userId, state.details.profile)
      if (profile === undefined) throw new FirstAdminError('The first admin was erased before the first login')
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

  /** An earlier attempt may have created the account with a password that was never shown. */
  const makeAccount = async (details: RegistrationDetails): Promise<void> => {
    await registerDirectly(eventStore, details)
    const { state } = await loadState(eventStore, userDecider, details.userId)
    if (state.status !== 'active')
      throw new FirstAdminError('The address of the first admin belongs to another account')
    if (state.credential !== details.credential) await setPassword(eventStore, details.userId, details.credential)
  }

  /**
   * Ensures that a new portal has an admin. Returns undefined if there is one, or if a process that started at the same
   * time creates it.
   */
  return async (options: FirstAdminOptions = {}): Promise<FirstAdmin | undefined> => {
    const { state } = await loadState(eventStore, firstAdminDecider, firstAdminStreamId)
    if (state.status === 'shown') return undefined
    const wishedEmail = cleanEmail(options.email ?? defaultEmail)
    if (options.password !== undefined) {
      rejectWeak(options.password)
      rejectGuessable(options.password, wishedEmail)
    }
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
