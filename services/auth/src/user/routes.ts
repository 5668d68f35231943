import { tooManyProfileChanges } from '@portal/contracts/auth/errors'
import {
  changePassword as changePasswordRoute,
  getProfile,
  listUsers,
  updateProfile,
} from '@portal/contracts/auth/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import { reads, writes, recordCalls } from '@portal/platform/http/record-calls'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { ChangePassword } from './change-password.ts'
import type { ChangeProfile } from './change-profile.ts'
import type { Directory, FindUser } from './directory.ts'

type UserRoutesDeps = {
  readonly bind: BindRoute
  readonly directory: Pick<Directory, 'listAsJson'>
  readonly findUser: FindUser
  readonly changeProfile: ChangeProfile
  readonly changePassword: ChangePassword
  readonly changesPerUser: AttemptLimiter
  readonly securityLog: SecurityLog
}

/** A session of an erased user counts as no session. */
export const userRoutes = (app: FastifyInstance, deps: UserRoutesDeps): void => {
  const { bind, directory, findUser, changeProfile, changePassword, changesPerUser, securityLog } = deps

  bind(app, getProfile, async ({ session }) => {
    const user = await findUser(session.userId)
    return user ? ok({ success: true, user }) : rejected(apiErrors.unauthenticated)
  })

  bind(app, updateProfile, async ({ session, body, request }) => {
    const { userId } = session
    const retryAfterSeconds = await changesPerUser.attempt(userId)
    if (retryAfterSeconds !== undefined) {
      return rejected({ ...tooManyProfileChanges, retryAfterSeconds })
    }
    const user = await changeProfile(userId, body, metadataOf({ session, request }))
    if (!user) return rejected(apiErrors.unauthenticated)
    return ok({ success: true, message: 'Profile updated successfully!', user })
  })

  const recordedChange = recordCalls(bind, securityLog, { event: 'password-changed', methods: writes })
  recordedChange(app, changePasswordRoute, async ({ session, body, request }) => {
    const changed = await changePassword(session, body, metadataOf({ session, request }))
    return changed.ok ? ok({ success: true, message: 'Password changed successfully!' }) : changed
  })

  const recordedRead = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })
  recordedRead(app, listUsers, async () => ok(`{"success":true,"users":${await directory.listAsJson()}}`))
}
