import {
  changePreferences,
  defaultPreferences,
  getPreferences,
  tooManyPreferenceChanges,
} from '@portal/contracts/notifications/preferences'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import type { FastifyInstance } from 'fastify'
import type { HandlePreferences } from './handle-preferences.ts'
import type { HasMailServer } from './mail-server.ts'
import type { PreferencesReader } from './preferences-reader.ts'

export const preferenceChangesLimit: AttemptLimit = { max: 100, windowMs: 60 * 60_000 }

type PreferencesRoutesDeps = {
  readonly bind: BindRoute
  readonly handlePreferences: HandlePreferences
  readonly preferences: PreferencesReader
  readonly changesPerUser: AttemptLimiter
  readonly hasMailServer: HasMailServer
}

export const preferencesRoutes = (app: FastifyInstance, deps: PreferencesRoutesDeps): void => {
  const { bind, handlePreferences, preferences, changesPerUser, hasMailServer } = deps

  bind(app, getPreferences, async ({ session: { userId } }) => {
    const [chosen, emailAvailable] = await Promise.all([preferences.of([userId]), hasMailServer()])
    return ok({ success: true, preferences: chosen.get(userId) ?? defaultPreferences, emailAvailable })
  })

  bind(app, changePreferences, async (call) => {
    const { userId } = call.session
    const wait = await changesPerUser.attempt(userId)
    if (wait !== undefined)
      return rejected({ ...tooManyPreferenceChanges(formatDuration(wait)), retryAfterSeconds: wait })
    const changed = await handlePreferences({ type: 'ChangePreferences', userId, change: call.body }, metadataOf(call))
    if (!changed.ok) return changed
    return ok({ success: true, message: 'Preferences saved', preferences: changed.value })
  })
}
