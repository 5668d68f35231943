import { isDeepStrictEqual } from 'node:util'
import {
  defaultPreferences,
  noEmail,
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

/** No more e-mails of any type. */
type StopEmail = { readonly type: 'StopEmail'; readonly userId: UserId }

export type PreferencesCommand = ChangePreferences | StopEmail

const changed = (current: Preferences, command: PreferencesCommand): Preferences => {
  if (command.type === 'StopEmail') return { ...current, email: noEmail }
  const { push, email, quietHours } = command.change
  return { push: { ...current.push, ...push }, email: { ...current.email, ...email }, quietHours }
}

/** The preferences of one user. */
export const preferencesDecider: Decider<Preferences, PreferencesCommand, PreferencesEvent, never> = {
  category: 'preferences',
  initial: defaultPreferences,

  decide(command, current) {
    const preferences = changed(current, command)
    if (isDeepStrictEqual(preferences, current)) return ok([])
    return ok([{ type: 'PreferencesChanged', data: { userId: command.userId, preferences } }])
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
