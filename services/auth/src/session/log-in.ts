import { deactivated, firstPasswordExpired, invalidCredentials } from '@portal/contracts/auth/errors'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import type { IsFirstPasswordExpired } from '../first-admin/first-admin.ts'
import { type PasswordHashing, rejectWhenBusy } from '../passwords/password-hashing.ts'
import { createAccountAddress } from '../user/account-address.ts'
import { userDecider } from '../user/decider.ts'
import type { FindUser } from '../user/directory.ts'
import { type Login, loginRef, loginSchema } from '../user/projection.ts'
import type { FailedLoginNotices } from './failed-login-notices.ts'
import type { LoginGuard } from './login-guard.ts'
import type { RelyingParty } from '../second-factor/relying-party.ts'
import type { SecondStep } from '../second-factor/second-step.ts'
import type { LoggedIn, StartSession } from './start-session.ts'

type LogInDeps = {
  readonly eventStore: EventStore
  readonly readModel: ReadStore
  readonly vault: PersonalDataVault
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly passwords: PasswordHashing
  readonly findUser: FindUser
  readonly guard: LoginGuard
  readonly startSession: StartSession
  readonly askSecondStep: SecondStep['ask']
  readonly isFirstPasswordExpired: IsFirstPasswordExpired
  readonly failedLoginNotices: Pick<FailedLoginNotices, 'failed'>
  readonly logger: Logger
}

type LoginInput = {
  readonly email: string
  readonly password: string
  readonly address: string
  /** Browser and system. */
  readonly deviceName: string
  /** Binds what follows to the browser that sent the password. */
  readonly clientSecret: string
  /** Undefined where passkeys do not work. */
  readonly relyingParty: RelyingParty | undefined
  /** Returns the known device of the client for the account with this e-mail index. */
  readonly deviceFor: (emailIndex: string) => string | undefined
}
type PasswordCheck =
  | { readonly outcome: 'right'; readonly login: OpenedLogin }
  /** `userId`: of the account that the address has. */
  | { readonly outcome: 'wrong'; readonly userId: UserId | undefined }
  | { readonly outcome: 'corrupt' }
type OpenedLogin = { readonly login: Login; readonly emailIndex: string; readonly hash: string }

/** Compares a password with the login of an address. */
const createCompare = ({ readModel, vault, clockAndIds, passwords, logger }: LogInDeps) => {
  let cachedDummyHash: Promise<string> | undefined

  /** Hash for unknown addresses: they take as long as known ones, so the time does not reveal who is registered. */
  const dummyHash = (): Promise<string> => {
    cachedDummyHash ??= passwords.hash(clockAndIds.newId()).catch((error: unknown) => {
      cachedDummyHash = undefined
      throw error
    })
    return cachedDummyHash
  }

  const findLogin = async (emailIndex: string): Promise<OpenedLogin | 'corrupt' | undefined> => {
    const document = await readModel.get(loginRef(emailIndex))
    if (document === undefined) return undefined
    const { data: login, error } = loginSchema.safeParse(document)
    if (error) {
      logger.error({ err: error }, 'login read model is corrupt, rejecting login')
      return 'corrupt'
    }
    const hash = await vault.decrypt(login.userId, login.credential)
    return hash === undefined ? undefined : { login, emailIndex, hash }
  }

  return async (emailIndex: string, password: string): Promise<PasswordCheck> => {
    const login = await findLogin(emailIndex)
    if (login === 'corrupt') return { outcome: 'corrupt' }
    const outcome = await passwords.verify(login?.hash ?? (await dummyHash()), password)
    if (login && outcome === 'right') return { outcome: 'right', login }
    return { outcome: 'wrong', userId: login?.login.userId }
  }
}

export const createLogIn = (deps: LogInDeps) => {
  const {
    eventStore,
    readModel,
    vault,
    passwords,
    findUser,
    guard,
    startSession,
    askSecondStep,
    isFirstPasswordExpired,
    failedLoginNotices,
    logger,
  } = deps
  const compare = createCompare(deps)
  const accountAddress = createAccountAddress(vault, readModel)

  /**
   * Rehashes after the cost was raised, because only a login has the plain password. After a failure, the next login
   * tries again.
   */
  const rehashIfNeeded = async ({ login, hash }: OpenedLogin, password: string, metadata: EventMetadata) => {
    if (!passwords.needsRehash(hash)) return
    try {
      const { userId, credential: replaces } = login
      const credential = await vault.encrypt(userId, await passwords.hash(password))
      await handleCommand(
        eventStore,
        userDecider,
        userId,
        { type: 'RehashCredential', replaces, credential },
        { eventId: eventIdsOf('credential-rehashed', replaces), metadata },
      )
    } catch (err) {
      logger.warn({ err }, 'failed to rehash password, keeping the old hash')
    }
  }

  const check = async ({
    email: typed,
    password,
    address,
    deviceFor,
  }: LoginInput): Promise<Result<OpenedLogin, ApiError>> => {
    const { email, emailIndex } = await accountAddress(typed)
    const begun = await guard.begin({ emailIndex, address, device: deviceFor(emailIndex) })
    if (!begun.ok) return begun
    const compared = await compare(emailIndex, password).catch(async (error: unknown) => {
      await begun.value.cancel()
      throw error
    })
    if (compared.outcome === 'corrupt') {
      await begun.value.cancel()
      return rejected(apiErrors.unavailable)
    }
    if (compared.outcome === 'wrong') {
      begun.value.fail()
      await failedLoginNotices.failed({ email, emailIndex, userId: compared.userId })
      return rejected(invalidCredentials)
    }
    const error = await begun.value.succeed()
    return error ? rejected(error) : ok(compared.login)
  }

  return (typed: LoginInput, metadata: EventMetadata): Promise<Result<LoggedIn, ApiError>> =>
    rejectWhenBusy(async () => {
      const checked = await check(typed)
      if (!checked.ok) return checked
      const { login, emailIndex } = checked.value
      const user = await findUser(login.userId)
      // Erased in the meantime.
      if (!user) return rejected(invalidCredentials)
      if (user.role === 'admin' && (await isFirstPasswordExpired(login.userId))) return rejected(firstPasswordExpired)
      await rehashIfNeeded(checked.value, typed.password, metadata)
      const asked = await askSecondStep(login, typed)
      if (asked) return rejected(asked)
      const isKnownDevice = typed.deviceFor(emailIndex) !== undefined
      const started = await startSession(
        { ...login, emailIndex, deviceName: typed.deviceName, isKnownDevice },
        metadata,
      )
      if (started.ok) return ok({ user, emailIndex, ...started.value })
      if (started.error === 'password-changed') return rejected(invalidCredentials)
      if (started.error === 'deactivated') return rejected(deactivated)
      logger.error({ userId: login.userId }, 'login read model contradicts the log, rejecting login')
      return rejected(apiErrors.unavailable)
    })
}
export type LogIn = ReturnType<typeof createLogIn>
