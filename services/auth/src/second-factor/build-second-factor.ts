import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { FastifyInstance } from 'fastify'
import { createConfirmOwnPassword } from '../account/confirm-own-password.ts'
import type { AuthLimits } from '../auth-limits.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { StartSession } from '../session/start-session.ts'
import type { FindUser } from '../user/directory.ts'
import { createOfferTotp, type OfferTotp } from './offer-totp.ts'
import { secondFactorRoutes } from './routes.ts'
import { createSecondFactors, type SecondFactors } from './second-factors.ts'
import { type AdminMfa, createSecondStep } from './second-step.ts'

type SecondFactorDeps = Pick<ServiceDeps, 'bind' | 'eventStore' | 'vault' | 'clockAndIds' | 'securityLog'> & {
  readonly passwords: PasswordHashing
  readonly findUser: FindUser
  /** Default: optional. */
  readonly adminMfa?: AdminMfa
  limiter(name: keyof AuthLimits): AttemptLimiter
}

/** What logins need of it. */
export type SecondFactorParts = {
  readonly secondFactors: SecondFactors
  readonly offerTotp: OfferTotp
  readonly adminMfa: AdminMfa
}

/** Wires what users do with their own two-step verification. */
export const buildSecondFactor = (deps: SecondFactorDeps) => {
  const { limiter, adminMfa = 'optional' } = deps
  const secondFactors = createSecondFactors(deps)
  const offerTotp = createOfferTotp({ ...deps, secondFactors, offersPerUser: limiter('totpOffersPerUser') })
  const parts: SecondFactorParts = { secondFactors, offerTotp, adminMfa }
  const attemptsPerUser = limiter('passwordChecksPerUser')
  const confirmOwnPassword = createConfirmOwnPassword({ ...deps, attemptsPerUser })
  return {
    parts,
    routes: (app: FastifyInstance): void => secondFactorRoutes(app, { ...deps, ...parts, confirmOwnPassword }),
  }
}

type SecondStepDeps = Pick<SecondFactorDeps, 'eventStore' | 'vault' | 'clockAndIds' | 'findUser' | 'limiter'> & {
  readonly secondFactor: SecondFactorParts
  readonly startSession: StartSession
}

export const buildSecondStep = (deps: SecondStepDeps) => {
  const { limiter, secondFactor } = deps
  return createSecondStep({
    ...deps,
    ...secondFactor,
    limiters: {
      wrongCodesPerUser: [limiter('wrongSecondStepsPerUser'), limiter('wrongSecondStepsPerUserInDay')],
      wrongRecoveryCodesPerUserAndAddress: limiter('wrongRecoveryCodesPerUserAndAddress'),
    },
  })
}
