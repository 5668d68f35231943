import { createApiKey, listApiKeys, revokeApiKey } from '@portal/contracts/auth/api-keys'
import { ok } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { ApiKeys } from './api-keys.ts'

type ApiKeyRoutesDeps = { readonly bind: BindRoute; readonly apiKeys: ApiKeys; readonly securityLog: SecurityLog }

export const apiKeyRoutes = (app: FastifyInstance, { bind, apiKeys, securityLog }: ApiKeyRoutesDeps): void => {
  const bindWrite = recordCalls(bind, securityLog, { event: 'api-key-changed', methods: writes })

  bind(app, listApiKeys, async ({ session }) => ok({ success: true, apiKeys: await apiKeys.list(session.userId) }))

  bindWrite(app, createApiKey, async ({ body, session, request }) => {
    const created = await apiKeys.create(session.userId, body, metadataOf({ session, request }))
    return created.ok ? ok({ success: true, ...created.value }) : created
  })

  bindWrite(app, revokeApiKey, async ({ params, session, request }) => {
    const revoked = await apiKeys.revoke(session.userId, params.id, metadataOf({ session, request }))
    return revoked.ok ? ok({ success: true, message: 'API key revoked' }) : revoked
  })
}
