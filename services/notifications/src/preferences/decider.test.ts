import {
  defaultPreferences,
  noEmail,
  type Preferences,
  type PreferencesChange,
} from '@portal/contracts/notifications/preferences'
import { specification } from '@portal/platform/testing/decider/specification'
import { expect, it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { preferencesDecider } from './decider.ts'
import type { PreferencesEvent } from './events.ts'

const { given } = specification(preferencesDecider)
const userId = userIdAt(1)
const night = { from: '22:00', to: '07:00', timeZone: 'Asia/Kolkata' }

const changing = (change: Partial<PreferencesChange>) =>
  ({ type: 'ChangePreferences', userId, change: { push: {}, email: {}, quietHours: null, ...change } }) as const
const changed = (preferences: Partial<Preferences>): PreferencesEvent => ({
  type: 'PreferencesChanged',
  data: { userId, preferences: { ...defaultPreferences, ...preferences } },
})
const withoutExams = { push: { ...defaultPreferences.push, Exam: false } }

it('a choice is recorded with all others as they are', () => {
  given([])
    .when(changing({ push: { Exam: false } }))
    .then([changed(withoutExams)])
  given([changed(withoutExams)])
    .when(changing({ email: { General: false }, quietHours: night }))
    .then([changed({ ...withoutExams, email: { ...defaultPreferences.email, General: false }, quietHours: night })])
})

it('what changes nothing is not recorded', () => {
  given([])
    .when(changing({ push: { Exam: true } }))
    .thenNothing()
  const chosen = changed({ ...withoutExams, quietHours: night })
  given([chosen])
    .when(changing({ push: { Exam: false }, quietHours: { ...night } }))
    .thenNothing()
})

it('quiet hours end with null', () => {
  given([changed({ quietHours: night })])
    .when(changing({}))
    .then([changed({})])
})

it('a type that is newer than the choice is wanted', () => {
  const { Exam: _, ...older } = defaultPreferences.push
  const data = { userId, preferences: { push: older, email: { Retired: false }, quietHours: null } }
  expect(preferencesDecider.parse({ type: 'PreferencesChanged', data })).toEqual(changed({}))
})

it('stopping e-mails keeps all other choices, and is recorded once', () => {
  const stop = { type: 'StopEmail', userId } as const
  const stopped = changed({ ...withoutExams, email: noEmail, quietHours: night })
  given([changed({ ...withoutExams, quietHours: night })])
    .when(stop)
    .then([stopped])
  given([stopped]).when(stop).thenNothing()
})
