import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { metadataOf } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { callerOf, type SecurityLog } from '@portal/platform/security-log/security-log'
import type { Cookies } from '@portal/platform/session/cookies'
import type { Session } from '@portal/platform/session/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LogOut } from './end-session.ts'
import { knownDeviceCookie } from './known-device.ts'
import type { LoggedIn } from './start-session.ts'

type AnswerLoginDeps = {
  readonly cookies: Cookies
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newSecret'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly logOut: LogOut
}

type LoginCall = {
  /** Of the cookie that the request came with. */
  readonly session: Session | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Returns the answer to a login that has started a session, and sets its cookies. */
export const createAnswerLogin =
  ({ cookies, vault, clockAndIds, securityLog, logOut }: AnswerLoginDeps) =>
  async ({ session: former, request, reply }: LoginCall, { user, emailIndex, token, expiresAt, session }: LoggedIn) => {
    const { userId, role, sessionId } = session
    const mailbox = emailIndex
    securityLog.record({ ...callerOf(request), event: 'log-in', result: 'ok', mailbox, userId, role, sessionId })
    // Its cookie is about to be replaced, so no later request could end it.
    if (former) await logOut(former, metadataOf({ session: former, request }))
    const device = { emailIndex, newId: clockAndIds.newSecret(), now: clockAndIds.now() }
    cookies.setSession(request, reply, token, expiresAt)
    cookies.set(request, reply, knownDeviceCookie(vault, request, device))
    return { success: true as const, message: 'Login successful! Redirecting...', data: { user, token } }
  }
export type AnswerLogin = ReturnType<typeof createAnswerLogin>
