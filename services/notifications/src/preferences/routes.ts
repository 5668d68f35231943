import {
  changePreferences,
  defaultPreferences,
  getPreferences,
  tooManyPreferenceChanges,
} from '@portal/contracts/notifications/preferences'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { FastifyInstance } from 'fastify'
import { preferencesDecider } from './decider.ts'
import type { PreferencesReader } from './preferences-reader.ts'
import { preferencesProjection } from './projection.ts'

export const preferenceChangesLimit: AttemptLimit = { max: 100, windowMs: 60 * 60_000 }

type PreferencesRoutesDeps = {
  readonly bind: BindRoute
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly preferences: PreferencesReader
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly changesPerUser: AttemptLimiter
  readonly emailAvailable: boolean
}

export const preferencesRoutes = (app: FastifyInstance, deps: PreferencesRoutesDeps): void => {
  const { bind, eventStore, readModel, preferences, clockAndIds, changesPerUser, emailAvailable } = deps

  bind(app, getPreferences, async ({ session: { userId } }) => {
    const chosen = (await preferences.of([userId])).get(userId)
    return ok({ success: true, preferences: chosen ?? defaultPreferences, emailAvailable })
  })

  bind(app, changePreferences, async (call) => {
    const { userId } = call.session
    const wait = await changesPerUser.attempt(userId)
    if (wait !== undefined)
      return rejected({ ...tooManyPreferenceChanges(formatDuration(wait)), retryAfterSeconds: wait })
    const command = { type: 'ChangePreferences', userId, change: call.body } as const
    const handled = await handleCommand(eventStore, preferencesDecider, userId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata: metadataOf(call),
    })
    if (!handled.ok) return handled
    const { position: eventPosition, state } = handled.value
    if (eventPosition !== undefined)
      await waitForProjection(readModel, {
        projection: preferencesProjection,
        partition: bucketKey(userId),
        eventPosition,
      })
    return ok({ success: true, message: 'Preferences saved', preferences: state })
  })
}
