import { cleanEmail } from '@portal/contracts/shared/typed-input'
import { logIn as logInRoute, logOut as logOutRoute } from '@portal/contracts/auth/http'
import { listSessions, signOutOtherSessions, signOutSession } from '@portal/contracts/auth/sessions'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok } from '@portal/platform/decider/decider'
import { addressGroup } from '@portal/platform/limits/address-group'
import { deviceNameOf } from '@portal/platform/http/device-name'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { callerOf, type SecurityLog } from '@portal/platform/security-log/security-log'
import type { Cookies } from '@portal/platform/session/cookies'
import type { Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import { clientSecretCookie, clientSecretOf } from '../second-factor/challenge.ts'
import { relyingPartyOf } from '../second-factor/relying-party.ts'
import type { AnswerLogin } from './answer-login.ts'
import type { LogOut } from './end-session.ts'
import { knownDeviceOf } from './known-device.ts'
import type { LogIn } from './log-in.ts'
import type { OwnSessions } from './own-sessions.ts'

type SessionRoutesDeps = {
  readonly bind: BindRoute
  readonly cookies: Cookies
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newSecret'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly site: Pick<Site, 'publicOrigin'>
  readonly logIn: LogIn
  readonly answerLogin: AnswerLogin
  readonly logOut: LogOut
  readonly ownSessions: OwnSessions
}

export const sessionRoutes = (app: FastifyInstance, deps: SessionRoutesDeps): void => {
  const { bind, cookies, vault, clockAndIds, securityLog, site, logIn, answerLogin, logOut } = deps

  bind(app, logInRoute, async (call) => {
    const { request, reply } = call
    const { personalEmail: email, password } = call.body
    const clientSecret = clientSecretOf(request) ?? clockAndIds.newSecret()
    const deviceFor = (emailIndex: string) => knownDeviceOf(vault, request, emailIndex, clockAndIds.now())
    const deviceName = deviceNameOf(request.headers['user-agent'])
    const address = addressGroup(request.clientAddress)
    const relyingParty = relyingPartyOf(site, request)
    const typed = { email, password, address, deviceName, clientSecret, relyingParty, deviceFor }
    const loggedIn = await logIn(typed, metadataOf({ request }))
    const mailbox = vault.index('email', cleanEmail(email))
    if (!loggedIn.ok) {
      const { code, secondStep } = loggedIn.error
      if (secondStep) {
        cookies.set(request, reply, clientSecretCookie(clientSecret, clockAndIds.now()))
        securityLog.record({ ...callerOf(request), event: 'second-step', result: 'ok', code: 'requested', mailbox })
        return loggedIn
      }
      const result = code === 'unavailable' ? 'failed' : 'refused'
      securityLog.record({ ...callerOf(request), event: 'log-in', result, code, mailbox })
      return loggedIn
    }
    return ok(await answerLogin(call, loggedIn.value))
  })

  bind(app, logOutRoute, async ({ session, request, reply }) => {
    await logOut(session, metadataOf({ session, request }))
    securityLog.record({ ...callerOf(request), event: 'log-out', result: 'ok' })
    cookies.clearSession(request, reply)
    return ok({ success: true, message: 'Logged out successfully' })
  })

  ownSessionRoutes(app, deps)
}

const ownSessionRoutes = (app: FastifyInstance, { bind, cookies, ownSessions }: SessionRoutesDeps): void => {
  bind(app, listSessions, async ({ session, request }) =>
    ok({ success: true, sessions: await ownSessions.list(session, request.headers['user-agent']) }),
  )
  bind(app, signOutSession, async (call) => {
    const { session, params, request, reply } = call
    const ended = await ownSessions.signOut(session, params.id, metadataOf(call))
    if (!ended.ok) return ended
    if (params.id === session.sessionId) cookies.clearSession(request, reply)
    return ok({ success: true, message: 'Signed out there' })
  })
  bind(app, signOutOtherSessions, async (call) => {
    const count = await ownSessions.signOutOthers(call.session, metadataOf(call))
    return ok({ success: true, message: 'Signed out everywhere else', count })
  })
}
