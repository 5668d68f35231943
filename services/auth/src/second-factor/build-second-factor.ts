import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import type { ConfirmOwnPassword } from '../account/confirm-own-password.ts'
import type { AuthLimits } from '../auth-limits.ts'
import type { StartSession } from '../session/start-session.ts'
import type { FindUser } from '../user/directory.ts'
import { createConfirmOwnFactors } from './confirm-own-factors.ts'
import { createOfferTotp, type OfferTotp } from './offer-totp.ts'
import { createOpenSecondStep } from './open-second-step.ts'
import { createPasskeyChallenges } from './passkey-challenge.ts'
import { createPasskeyStep } from './passkey-step.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { createProveFactor, type ProveFactor } from './prove-factor.ts'
import { passkeyRoutes, secondFactorRoutes } from './routes.ts'
import { createSecondFactorStream } from './second-factor-stream.ts'
import { createSecondFactors, type SecondFactors } from './second-factors.ts'
import { type AdminMfa, createSecondStep } from './second-step.ts'

type SecondFactorDeps = Pick<ServiceDeps, 'bind' | 'eventStore' | 'vault' | 'clockAndIds' | 'securityLog'> & {
  readonly confirmOwnPassword: ConfirmOwnPassword
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
  readonly proveFactor: ProveFactor
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
  const proveFactor = createProveFactor({
    secondFactors,
    passkeys,
    limiters: {
      wrongCodesPerUser: [limiter('wrongSecondStepsPerUser'), limiter('wrongSecondStepsPerUserInDay')],
      wrongRecoveryCodesPerUserAndAddress: limiter('wrongRecoveryCodesPerUserAndAddress'),
      wrongPasskeysPerUserAndAddress: limiter('wrongPasskeysPerUserAndAddress'),
    },
  })
  const parts: SecondFactorParts = { secondFactors, offerTotp, passkeys, proveFactor, adminMfa }
  const confirmOwnFactors = createConfirmOwnFactors({ ...deps, secondFactors, proveFactor })
  return {
    parts,
    routes: (app: FastifyInstance): void => {
      secondFactorRoutes(app, { ...deps, ...parts, confirmOwnFactors })
      passkeyRoutes(app, { ...deps, ...parts, confirmOwnFactors })
    },
  }
}

type SecondStepDeps = Pick<SecondFactorDeps, 'eventStore' | 'vault' | 'clockAndIds' | 'findUser'> & {
  readonly secondFactor: SecondFactorParts
  readonly startSession: StartSession
}

/** Wires what follows the right password. */
export const buildSecondStep = (deps: SecondStepDeps) => {
  const { secondFactor } = deps
  const step = createOpenSecondStep(deps)
  return {
    secondStep: createSecondStep({ ...deps, ...secondFactor, step }),
    passkeyStep: createPasskeyStep({ ...secondFactor, step }),
  }
}
