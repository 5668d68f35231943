import { type Polling, startPolling } from '@portal/platform/async/polling'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { MailSender, SmsSender } from '@portal/platform/outbound/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Cookies } from '@portal/platform/session/cookies'
import { linkOriginOf, type Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import type { AuthLimits } from '../auth-limits.ts'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { Completion } from './completion.ts'
import type { ListedUniversities } from './listed-universities.ts'
import { createExpireUnfinished } from './expire-unfinished.ts'
import { createRegistrationLimits } from './registration-limits.ts'
import { createRegistrations } from './registrations.ts'
import { registrationRoutes } from './routes.ts'
import { createCodeSender, createNotifyOwner } from './send-codes.ts'
import { unfinishedProjection } from './unfinished.ts'

type RegistrationDeps = Pick<
  ServiceDeps,
  'bind' | 'eventStore' | 'readModels' | 'vault' | 'clockAndIds' | 'securityLog' | 'logger'
> & {
  readonly mail: MailSender
  readonly sms: SmsSender
  readonly site: Site
  readonly cookies: Cookies
  readonly passwords: PasswordHashing
  readonly completion: Completion
  readonly confirmNumber: ConfirmNumber
  readonly universities?: ListedUniversities | undefined
  limiter(name: keyof AuthLimits): AttemptLimiter
}

/** Unfinished registrations last this much longer. */
const expireEveryMs = 900_000

/** Wires the registration of students by one-time codes. */
export const buildRegistration = (deps: RegistrationDeps) => {
  const { mail, sms, site, logger, limiter } = deps
  const limits = createRegistrationLimits(limiter)
  const registrations = createRegistrations({
    ...deps,
    limits,
    sendCodes: createCodeSender({ mail, sms, logger }),
    notifyOwner: createNotifyOwner({ mail, logger }, linkOriginOf(site)),
    logger,
  })
  const expireUnfinished = createExpireUnfinished({ ...deps, unfinished: deps.readModels.of(unfinishedProjection) })
  let expiring: Polling | undefined
  return {
    routes: (app: FastifyInstance): void => registrationRoutes(app, { ...deps, registrations, limits }),
    start: (): void => {
      expiring = startPolling(expireUnfinished, {
        everyMs: expireEveryMs,
        onFailure: (err) => logger.warn({ err }, 'failed to expire unfinished registrations'),
      })
    },
    stop: async (): Promise<void> => {
      await expiring?.stop()
    },
  }
}
