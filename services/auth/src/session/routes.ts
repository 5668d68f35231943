import { logIn as logInRoute, logOut as logOutRoute } from '@portal/contracts/auth/http'
import { ok } from '@portal/platform/decider/result'
import type { Cookies } from '@portal/platform/http/cookies'
import { metadataOf } from '@portal/platform/http/call-metadata'
import type { BindRoute } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { addressGroup } from '@portal/platform/http/address-group'
import type { LogIn } from './log-in.ts'
import type { LogOut } from './log-out.ts'

type Deps = {
  readonly bind: BindRoute
  readonly cookies: Cookies
  readonly logIn: LogIn
  readonly logOut: LogOut
}

export const sessionRoutes = (app: FastifyInstance, { bind, cookies, logIn, logOut }: Deps): void => {
  bind(app, logInRoute, async ({ body, session: former, request, reply }) => {
    const { personalEmail: email, password } = body
    const loggedIn = await logIn({ email, password, address: addressGroup(request.ip) }, metadataOf({ request }))
    if (!loggedIn.ok) return loggedIn
    const { user, token, expiresAt } = loggedIn.value
    // Its cookie is about to be replaced: nobody could end it any more.
    if (former) await logOut(former, metadataOf({ session: former, request }))
    cookies.setSession(request, reply, token, expiresAt)
    return ok({ success: true, message: 'Login successful! Redirecting...', data: { user, token } })
  })

  bind(app, logOutRoute, async ({ session, request, reply }) => {
    await logOut(session, metadataOf({ session, request }))
    cookies.clearSession(request, reply)
    return ok({ success: true, message: 'Logged out successfully' })
  })
}
