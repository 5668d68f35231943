import { isDeepStrictEqual } from 'node:util'
import {
  defaultPreferences,
  type Preferences,
  type PreferencesChange,
} from '@portal/contracts/notifications/preferences'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import { type Decider, ok } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { notificationsMessage } from '../bus-messages.ts'
import { type PreferencesEvent, preferencesEventSchema } from './events.ts'

type ChangePreferences = {
  readonly type: 'ChangePreferences'
  readonly userId: UserId
  readonly change: PreferencesChange
}

/** The preferences of one user. */
export const preferencesDecider: Decider<Preferences, ChangePreferences, PreferencesEvent, never> = {
  category: 'preferences',
  initial: defaultPreferences,

  decide({ userId, change }, current) {
    const preferences = {
      push: { ...current.push, ...change.push },
      email: { ...current.email, ...change.email },
      quietHours: change.quietHours,
    }
    if (isDeepStrictEqual(preferences, current)) return ok([])
    return ok([{ type: 'PreferencesChanged', data: { userId, preferences } }])
  },

  evolve: (_, { data }) => data.preferences,

  parse: storedEventReader(preferencesEventSchema),
}

export const preferencesPublisher: Publisher = {
  category: preferencesDecider.category,
  topics: ['notifications'],
  publish: (recorded) => {
    const event = preferencesDecider.parse(recorded)
    return [notificationsMessage(bucketKey(event.data.userId), event)]
  },
}
