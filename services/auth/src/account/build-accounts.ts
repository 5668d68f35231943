import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Cookies } from '@portal/platform/session/cookies'
import type { IdleLimits } from '@portal/platform/session/session-idle'
import type { FastifyInstance } from 'fastify'
import { createAdminRoster } from '../admin-roster/admin-roster.ts'
import type { AuthLimits } from '../auth-limits.ts'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { ListedUniversities } from '../registration/listed-universities.ts'
import { createCurrentSessions } from '../session/current-sessions.ts'
import type { SecondFactors } from '../second-factor/second-factors.ts'
import type { ChangeProfile } from '../user/change-profile.ts'
import type { Directory, FindUser, PresentUser } from '../user/directory.ts'
import type { Erasure } from '../user/erasure.ts'
import type { RecordAccountChange } from '../user/record-account-change.ts'
import { createLoadAccount } from './account.ts'
import { createChangeAccount } from './change-account.ts'
import type { ConfirmOwnPassword } from './confirm-own-password.ts'
import { createCorrectAccount } from './correct-account.ts'
import { createEraseAccount } from './erase-account.ts'
import { createFindPerson } from './find-person.ts'
import { createResetSecondFactor } from './reset-second-factor.ts'
import { accountRoutes } from './routes.ts'

type AccountsDeps = Pick<
  ServiceDeps,
  'bind' | 'eventStore' | 'readModels' | 'vault' | 'clockAndIds' | 'securityLog'
> & {
  readonly cookies: Cookies
  readonly passwords: PasswordHashing
  readonly universities?: ListedUniversities | undefined
  readonly directory: Directory
  readonly presentUser: PresentUser
  readonly findUser: FindUser
  readonly changeProfile: ChangeProfile
  readonly confirmNumber: ConfirmNumber
  readonly recordAccountChange: RecordAccountChange
  readonly erasure: Erasure
  readonly confirmOwnPassword: ConfirmOwnPassword
  readonly secondFactors: SecondFactors
  readonly sessionIdle?: IdleLimits
  limiter(name: keyof AuthLimits): AttemptLimiter
}

/** Wires what an admin does to an account, and how people delete their own. */
export const buildAccounts = (deps: AccountsDeps) => {
  const { limiter } = deps
  const shared = {
    ...deps,
    roster: createAdminRoster(deps),
    loadAccount: createLoadAccount(deps),
  }
  return {
    routes: (app: FastifyInstance): void =>
      accountRoutes(app, {
        ...deps,
        findPerson: createFindPerson({ ...deps, currentSessions: createCurrentSessions(deps) }),
        correctAccount: createCorrectAccount(shared),
        changeAccount: createChangeAccount(shared),
        resetSecondFactor: createResetSecondFactor(shared),
        eraseAccount: createEraseAccount({ ...shared, erasuresPerAdmin: limiter('erasuresPerAdmin') }),
        changesPerAdmin: limiter('accountChangesPerAdmin'),
      }),
  }
}
