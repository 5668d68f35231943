import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import { createConfirmOwnPassword } from '../account/confirm-own-password.ts'
import type { AuthLimits } from '../auth-limits.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { StartSession } from '../session/start-session.ts'
import type { FindUser } from '../user/directory.ts'
import { createOfferTotp, type OfferTotp } from './offer-totp.ts'
import { createOpenSecondStep } from './open-second-step.ts'
import { createPasskeyChallenges } from './passkey-challenge.ts'
import { createPasskeyStep } from './passkey-step.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { passkeyRoutes, secondFactorRoutes } from './routes.ts'
import { createSecondFactorStream } from './second-factor-stream.ts'
import { createSecondFactors, type SecondFactors } from './second-factors.ts'
import { type AdminMfa, createSecondStep } from './second-step.ts'

type SecondFactorDeps = Pick<ServiceDeps, 'bind' | 'eventStore' | 'vault' | 'clockAndIds' | 'securityLog'> & {
  readonly passwords: PasswordHashing
  readonly findUser: FindUser
  readonly site: Pick<Site, 'publicOrigin'>
  /** Default: optional. */
  readonly adminMfa?: AdminMfa
  limiter(name: keyof AuthLimits): AttemptLimiter
}

/** What logins need of it. */
export type SecondFactorParts = {
  readonly secondFactors: SecondFactors
  readonly offerTotp: OfferTotp
  readonly passkeys: Passkeys
  readonly adminMfa: AdminMfa
}

/** Wires what users do with their own two-step verification. */
export const buildSecondFactor = (deps: SecondFactorDeps) => {
  const { limiter, adminMfa = 'optional' } = deps
  const stream = createSecondFactorStream(deps)
  const secondFactors = createSecondFactors({ ...deps, stream })
  const challenges = createPasskeyChallenges({ ...deps, uses: limiter('passkeyChallengeUses') })
  const passkeys = createPasskeys({ ...deps, stream, challenges })
  const offerTotp = createOfferTotp({ ...deps, secondFactors, offersPerUser: limiter('totpOffersPerUser') })
  const parts: SecondFactorParts = { secondFactors, offerTotp, passkeys, adminMfa }
  const attemptsPerUser = limiter('passwordChecksPerUser')
  const confirmOwnPassword = createConfirmOwnPassword({ ...deps, attemptsPerUser })
  return {
    parts,
    routes: (app: FastifyInstance): void => {
      secondFactorRoutes(app, { ...deps, ...parts, confirmOwnPassword })
      passkeyRoutes(app, { ...deps, ...parts, confirmOwnPassword })
    },
  }
}

type SecondStepDeps = Pick<SecondFactorDeps, 'eventStore' | 'vault' | 'clockAndIds' | 'findUser' | 'limiter'> & {
  readonly secondFactor: SecondFactorParts
  readonly startSession: StartSession
}

/** Wires what follows the right password. */
export const buildSecondStep = (deps: SecondStepDeps) => {
  const { limiter, secondFactor } = deps
  const step = createOpenSecondStep(deps)
  return {
    secondStep: createSecondStep({
      ...deps,
      ...secondFactor,
      step,
      limiters: {
        wrongCodesPerUser: [limiter('wrongSecondStepsPerUser'), limiter('wrongSecondStepsPerUserInDay')],
        wrongRecoveryCodesPerUserAndAddress: limiter('wrongRecoveryCodesPerUserAndAddress'),
      },
    }),
    passkeyStep: createPasskeyStep({
      step,
      passkeys: secondFactor.passkeys,
      wrongPasskeysPerUserAndAddress: limiter('wrongPasskeysPerUserAndAddress'),
    }),
  }
}
