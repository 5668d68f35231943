import { setTimeout as sleep } from 'node:timers/promises'
import { type AdminGrant, credentialOf, userIdOf } from '@portal/auth/admin-grant/admin-grant'
import { newestSessions, openSessionsProjection } from '@portal/auth/session/open-sessions-projection'
import { loginProjection, loginRef, loginSchema } from '@portal/auth/user/login-projection'
import type { ServingReadModels } from '../settings/serving-read-models.ts'

const pollMs = 100

const isEffective = async (readModels: ServingReadModels, grant: AdminGrant): Promise<boolean> => {
  const [logins, sessions] = await Promise.all([readModels.of(loginProjection), readModels.of(openSessionsProjection)])
  if (!logins || !sessions) return false
  const login = loginSchema.safeParse(await logins.readModel.get(loginRef(grant.emailIndex)))
  if (!login.success || login.data.credential !== credentialOf(grant)) return false
  return (await newestSessions(sessions.readModel, userIdOf(grant), 1)).length === 0
}

/** Whether the former password and the open sessions have ended within the time. False where no portal runs to end them. */
export const waitUntilEffective = async (
  readModels: ServingReadModels,
  grant: AdminGrant,
  timeoutMs: number,
): Promise<boolean> => {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(pollMs)) {
    if (await isEffective(readModels, grant)) return true
    if (Date.now() > deadline) return false
  }
}
