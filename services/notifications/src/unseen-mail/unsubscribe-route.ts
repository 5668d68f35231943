import { brokenUnsubscribeLink, unsubscribe } from '@portal/contracts/notifications/preferences'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import type { HandlePreferences } from '../preferences/handle-preferences.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'

type UnsubscribeRouteDeps = {
  readonly bind: BindRoute
  readonly unsubscribeTokens: Pick<UnsubscribeTokens, 'userOf'>
  readonly handlePreferences: HandlePreferences
}

/** What mail programs send (RFC 8058). They have no session, and the token is all that the route needs. */
const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']

export const unsubscribeRoute = (app: FastifyInstance, deps: UnsubscribeRouteDeps): void => {
  const { bind, unsubscribeTokens, handlePreferences } = deps
  // In a scope of its own: no other route accepts forms, which other sites can send.
  void app.register(async (scope) => {
    scope.addContentTypeParser(forms, { parseAs: 'string' }, (_request, _body, done) => done(null))
    bind(scope, unsubscribe, async (call) => {
      const userId = unsubscribeTokens.userOf(call.query.token)
      if (userId === undefined) return rejected(brokenUnsubscribeLink)
      const stopped = await handlePreferences({ type: 'StopEmail', userId }, metadataOf(call))
      return stopped.ok ? ok({ success: true, message: 'You get no more emails about notifications' }) : stopped
    })
  })
}
