import {
  changeRole as changeRoleRoute,
  correctPerson,
  deactivatePerson,
  eraseOwnAccount,
  erasePerson,
  getPerson,
  reactivatePerson,
  resetSecondFactor as resetSecondFactorRoute,
  signOutPerson,
} from '@portal/contracts/auth/accounts'
import { personNotFound, tooManyAccountChanges } from '@portal/contracts/auth/account-errors'
import type { Role } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls, writes } from '@portal/platform/http/record-calls'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { Cookies } from '@portal/platform/session/cookies'
import type { FastifyInstance } from 'fastify'
import { afterWait } from '../after-wait.ts'
import type { ChangeAccount } from './change-account.ts'
import type { CorrectAccount } from './correct-account.ts'
import type { EraseAccount } from './erase-account.ts'
import type { FindPerson } from './find-person.ts'
import type { ResetSecondFactor } from './reset-second-factor.ts'

type AccountRoutesDeps = {
  readonly bind: BindRoute
  readonly cookies: Pick<Cookies, 'clearSession'>
  readonly findPerson: FindPerson
  readonly correctAccount: CorrectAccount
  readonly changeAccount: ChangeAccount
  readonly eraseAccount: EraseAccount
  readonly resetSecondFactor: ResetSecondFactor
  readonly changesPerAdmin: AttemptLimiter
  readonly securityLog: SecurityLog
}

const roleText: Readonly<Record<Role, string>> = { admin: 'an admin', faculty: 'faculty', student: 'a student' }

export const accountRoutes = (app: FastifyInstance, deps: AccountRoutesDeps): void => {
  const { bind, cookies, findPerson, correctAccount, changeAccount, eraseAccount, resetSecondFactor } = deps
  const { changesPerAdmin, securityLog } = deps
  const bindRead = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })
  const bindWrite = recordCalls(bind, securityLog, { event: 'account-changed', methods: writes })

  const change = async (adminId: UserId, message: string, run: () => Promise<Result<void, ApiError>>) => {
    const wait = await changesPerAdmin.attempt(adminId)
    if (wait !== undefined) return rejected(afterWait(tooManyAccountChanges, wait))
    const changed = await run()
    return changed.ok ? ok({ success: true as const, message }) : changed
  }

  bindRead(app, getPerson, async ({ params }) => {
    const person = await findPerson(params.id)
    return person ? ok({ success: true, person }) : rejected(personNotFound)
  })

  bindWrite(app, correctPerson, ({ params, body, session, request }) =>
    change(session.userId, 'Profile corrected', () =>
      correctAccount(params.id, body, metadataOf({ session, request })),
    ),
  )

  bindWrite(app, changeRoleRoute, ({ params, body: { role, password }, session, request }) =>
    change(session.userId, `Now ${roleText[role]}`, () =>
      changeAccount.changeRole(params.id, role, { userId: session.userId, password }, metadataOf({ session, request })),
    ),
  )

  bindWrite(app, deactivatePerson, ({ params, body: { reason, password }, session, request }) =>
    change(session.userId, 'Account deactivated', () =>
      changeAccount.deactivate(
        params.id,
        reason,
        { userId: session.userId, password },
        metadataOf({ session, request }),
      ),
    ),
  )

  bindWrite(app, reactivatePerson, ({ params, session, request }) =>
    change(session.userId, 'Account reactivated', () =>
      changeAccount.reactivate(params.id, metadataOf({ session, request })),
    ),
  )

  bindWrite(app, resetSecondFactorRoute, ({ params, body: { password }, session, request }) =>
    change(session.userId, 'Two-step verification turned off', () =>
      resetSecondFactor(params.id, { userId: session.userId, password }, metadataOf({ session, request })),
    ),
  )

  bindWrite(app, signOutPerson, ({ params, body: { password }, session, request }) =>
    change(session.userId, 'Signed out of all devices', () =>
      changeAccount.endSessions(params.id, { userId: session.userId, password }, metadataOf({ session, request })),
    ),
  )

  bindWrite(app, erasePerson, async ({ params, body: { personalEmail, password }, session, request }) => {
    const actor = { userId: session.userId, password }
    const erased = await eraseAccount.eraseByAdmin(params.id, personalEmail, actor, metadataOf({ session, request }))
    return erased.ok ? ok({ success: true, message: 'Account deleted', receipt: erased.value }) : erased
  })

  bindWrite(app, eraseOwnAccount, async ({ body: { password }, session, request, reply }) => {
    const actor = { userId: session.userId, password }
    const erased = await eraseAccount.eraseOwn(actor, metadataOf({ session, request }))
    if (!erased.ok) return erased
    cookies.clearSession(request, reply)
    return ok({ success: true, message: 'Your account has been deleted', receipt: erased.value })
  })
}
