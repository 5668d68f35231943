import type { KeyRing } from '@portal/platform/http/key-ring'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { Subscription } from '@portal/platform/bus/port'
import type { MailSender, SmsSender } from '@portal/platform/outbound/port'
import type { Projection } from '@portal/platform/projection/projection'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { startFollowUp } from './follow-up.ts'
import { createAttemptLimiter } from './limits/attempt-limiter.ts'
import { type AuthLimits, defaultAuthLimits } from './limits/auth-limits.ts'
import { createPasswordHashing } from './passwords/password-hashing.ts'
import { createCompletion } from './registration/completion.ts'
import { registrationPublisher } from './registration/publish.ts'
import { createRegistering } from './registration/registering.ts'
import { registrationRoutes } from './registration/routes.ts'
import { createCodeSender } from './registration/send-codes.ts'
import { createLogInGuard } from './session/log-in-guard.ts'
import { createLogIn } from './session/log-in.ts'
import { createLogOut } from './session/log-out.ts'
import { sessionProjection } from './session/projection.ts'
import { sessionPublisher } from './session/publish.ts'
import { sessionRoutes } from './session/routes.ts'
import { createChangeProfile } from './user/change-profile.ts'
import { directoryProjection } from './user/directory-projection.ts'
import { createDirectory } from './user/directory.ts'
import { createErasure, type Erasure } from './user/erasure.ts'
import { loginProjection } from './user/login-projection.ts'
import { createOpenedProfiles } from './user/opened-profiles.ts'
import { userPublisher } from './user/publish.ts'
import { userRoutes } from './user/routes.ts'

/** Pure, so that a bus can be made from them before the service is. */
export const authPublishers: readonly Publisher[] = [registrationPublisher, userPublisher, sessionPublisher]
export const authProjections: readonly Projection[] = [directoryProjection, loginProjection, sessionProjection]

export type AuthDeps = ServiceDeps & {
  readonly mail: MailSender
  readonly sms: SmsSender
  readonly keyRing: KeyRing
  readonly limits?: Partial<AuthLimits>
}

export type Auth = Service & Pick<Erasure, 'eraseUser'>

export const buildAuth = (deps: AuthDeps): Auth => {
  const { bind, eventStore, readModel, vault, sources, logger, mail, sms, keyRing } = deps
  const limits = { ...defaultAuthLimits, ...deps.limits }
  const limiter = (name: keyof AuthLimits) => createAttemptLimiter(limits[name], sources.now)

  const passwords = createPasswordHashing()
  const profiles = createOpenedProfiles(vault)
  const directory = createDirectory(readModel, profiles)
  const completion = createCompletion({ eventStore, readModel })
  const erasure = createErasure({ eventStore, readModel, vault, profiles })
  const sendCodes = createCodeSender({ mail, sms, logger })
  const registering = createRegistering({ eventStore, vault, sources, passwords, completion, sendCodes })
  const guard = createLogInGuard({
    perEmailAndAddress: limiter('logInFailuresPerEmailAndAddress'),
    perEmail: limiter('logInFailuresPerEmail'),
    perAddress: limiter('logInFailuresPerAddress'),
  })
  const logIn = createLogIn({ eventStore, readModel, vault, sources, passwords, keyRing, directory, guard, logger })
  const logOut = createLogOut({ eventStore, readModel })
  const changeProfile = createChangeProfile({ eventStore, readModel, vault, sources })
  const perAddress = limiter('registrationsPerAddress')
  const codesPerMobile = limiter('codesPerMobile')
  const changesPerUser = limiter('profileChangesPerUser')
  let followUp: Subscription | undefined

  return {
    name: 'auth',
    publishers: authPublishers,
    projections: authProjections,
    routes: (app) => {
      registrationRoutes(app, { bind, registering, vault, perAddress, codesPerMobile })
      sessionRoutes(app, { bind, logIn, logOut })
      userRoutes(app, { bind, directory, changeProfile, changesPerUser })
    },
    start: async () => {
      followUp = await startFollowUp({ ...deps, completion, erasure })
    },
    stop: async () => {
      await followUp?.stop()
      await passwords.close()
    },
    eraseUser: erasure.eraseUser,
  }
}
