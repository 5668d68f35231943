import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { MailSender } from '@portal/platform/outbound/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Cookies } from '@portal/platform/session/cookies'
import type { IdleLimits } from '@portal/platform/session/session-idle'
import type { SigningKeys } from '@portal/platform/session/signing-keys'
import { linkOriginOf, type Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import type { AuthLimits } from '../auth-limits.ts'
import { createIsFirstPasswordExpired } from '../first-admin/first-admin.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { FindUser } from '../user/directory.ts'
import { buildSecondStep, type SecondFactorParts } from '../second-factor/build-second-factor.ts'
import { passkeyStepRoutes, secondStepRoutes } from '../second-factor/login-routes.ts'
import { createAnswerLogin } from './answer-login.ts'
import { createFailedLoginNotices } from './failed-login-notices.ts'
import { createLogOut } from './end-session.ts'
import { createLoginGuard } from './login-guard.ts'
import { createLogIn } from './log-in.ts'
import { createOwnSessions } from './own-sessions.ts'
import { createRecordUse } from './record-use.ts'
import { openSessionsProjection, sessionProjection } from './projection.ts'
import { sessionRoutes } from './routes.ts'
import { createProgressiveDelay, realSleep, type Sleep } from './progressive-delay.ts'
import { createStartSession, defaultSessionLifetimeMs } from './start-session.ts'

type SessionsDeps = Pick<
  ServiceDeps,
  'bind' | 'eventStore' | 'readModels' | 'vault' | 'clockAndIds' | 'securityLog' | 'logger'
> & {
  readonly logins: ReadStore
  readonly mail: MailSender
  readonly site: Site
  readonly cookies: Cookies
  readonly signingKeys: SigningKeys
  readonly sessionLifetimeMs?: number
  readonly sessionIdle?: IdleLimits
  readonly passwords: PasswordHashing
  readonly findUser: FindUser
  readonly secondFactor: SecondFactorParts
  readonly wait?: Sleep
  limiter(name: keyof AuthLimits): AttemptLimiter
}

/** Wires login and logout. The guard also serves password resets. */
export const buildSessions = (deps: SessionsDeps) => {
  const { eventStore, readModels, logins, clockAndIds, mail, site, wait = realSleep, logger, limiter } = deps
  const { sessionLifetimeMs = defaultSessionLifetimeMs } = deps
  const guard = createLoginGuard({
    perEmailAndAddress: limiter('logInFailuresPerEmailAndAddress'),
    perEmail: [
      limiter('logInFailuresPerEmail'),
      limiter('logInFailuresPerEmailInHours'),
      limiter('logInFailuresPerEmailInDay'),
    ],
    perAddress: limiter('logInFailuresPerAddress'),
    perDevice: limiter('logInFailuresPerDevice'),
    progressiveDelay: createProgressiveDelay({ elapsedMs: clockAndIds.elapsedMs, sleep: wait }),
    successesPerEmail: limiter('logInsPerEmail'),
  })
  const failedLoginNotices = createFailedLoginNotices({
    mail,
    origin: linkOriginOf(site),
    failures: limiter('logInFailuresBeforeNotice'),
    notices: limiter('attackNoticesPerEmail'),
    logger,
  })
  const openSessions = readModels.of(openSessionsProjection)
  const startSession = createStartSession({ ...deps, sessionLifetimeMs, openSessions })
  const { secondStep, passkeyStep } = buildSecondStep({ ...deps, startSession })
  const logIn = createLogIn({
    ...deps,
    readModel: logins,
    guard,
    startSession,
    askSecondStep: secondStep.ask,
    isFirstPasswordExpired: createIsFirstPasswordExpired({ eventStore, clockAndIds }),
    failedLoginNotices,
  })
  const ownSessions = createOwnSessions(deps)
  const uses = createRecordUse(deps)
  const logOut = createLogOut({ eventStore, readModel: readModels.of(sessionProjection) })
  const answerLogin = createAnswerLogin({ ...deps, logOut })
  return {
    guard,
    routes: (app: FastifyInstance): void => {
      sessionRoutes(app, { ...deps, logIn, answerLogin, logOut, ownSessions })
      secondStepRoutes(app, { ...deps, secondStep, passkeyStep, answerLogin })
      passkeyStepRoutes(app, { ...deps, secondStep, passkeyStep, answerLogin })
    },
    recordUse: uses.record,
    stop: async (): Promise<void> => {
      await Promise.all([failedLoginNotices.stop(), uses.stop()])
    },
  }
}
