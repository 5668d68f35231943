import {
  changePreferences,
  defaultPreferences,
  getPreferences,
  type PreferencesChange,
} from '@portal/contracts/notifications/preferences'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { createPreferencesReader } from './preferences-reader.ts'
import { preferenceChangesLimit } from './routes.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'Asia/Kolkata' }
const nothing: PreferencesChange = { push: {}, email: {}, quietHours: null }

let harness: Harness
let admin: Person
let ada: Person
let ben: Person
beforeEach(async () => {
  harness = await startHarness()
  ;({ admin, ada, ben } = await harness.cast())
})
afterEach(() => harness.stop())

const change = (as: Person, body: unknown) => harness.call(changePreferences, { as, body })

it('everyone gets everything at any hour until they choose', async () => {
  for (const as of [ada, admin])
    expect(await harness.call(getPreferences, { as })).toEqual({
      success: true,
      preferences: defaultPreferences,
      emailAvailable: true,
    })
  for (const route of [getPreferences, changePreferences])
    expect((await harness.inject(route, { body: nothing })).statusCode).toBe(401)
})

it('a choice is one’s own, answered and applied at once, and types left out stay as they are', async () => {
  await change(ada, { ...nothing, push: { Exam: false } })
  const preferences = {
    push: { ...defaultPreferences.push, Exam: false },
    email: { ...defaultPreferences.email, General: false },
    quietHours: night,
  }
  expect(await change(ada, { push: {}, email: { General: false }, quietHours: night })).toEqual({
    success: true,
    message: 'Preferences saved',
    preferences,
  })
  expect(await harness.call(getPreferences, { as: ada })).toMatchObject({ preferences })
  expect(await harness.call(getPreferences, { as: ben })).toMatchObject({ preferences: defaultPreferences })
  const reader = createPreferencesReader(harness.context.readModel)
  expect(await reader.of([ben.userId, ada.userId])).toEqual(new Map([[ada.userId, preferences]]))
})

it('a choice that changes nothing is recorded nowhere', async () => {
  await change(ada, { ...nothing, quietHours: night })
  const end = await harness.context.eventStore.end()
  expect(await change(ada, { ...nothing, quietHours: night })).toMatchObject({ preferences: { quietHours: night } })
  expect(await harness.context.eventStore.end()).toEqual(end)
})

it('invalid preferences are rejected in the words of the field', async () => {
  const rows = (
    [
      [{ email: {}, quietHours: null }, 'push must have true or false for known types of notifications'],
      [{ ...nothing, push: { Party: true } }, 'push must have true or false for known types of notifications'],
      [{ ...nothing, email: [] }, 'email must have true or false for known types of notifications'],
      [{ ...nothing, email: { Exam: 'yes' } }, 'email for Exam must be true or false'],
      [{ push: {}, email: {} }, 'quietHours must be null, or have from, to and timeZone'],
      [{ ...nothing, quietHours: { ...night, from: '24:00' } }, 'Quiet hours need a time such as 22:00'],
      [{ ...nothing, quietHours: { ...night, to: '7:00' } }, 'Quiet hours need a time such as 22:00'],
      [{ ...nothing, quietHours: { ...night, to: '22:00' } }, 'Quiet hours must end at another time than they begin'],
      [{ ...nothing, quietHours: { ...night, timeZone: 'Mars/Olympus' } }, 'This time zone is not known'],
      [{ ...nothing, quietHours: { ...night, timeZone: '+05:30' } }, 'This time zone is not known'],
      [{ ...nothing, quietHours: { from: '22:00', to: '07:00' } }, 'Quiet hours need a time zone'],
    ] as const
  ).map(([body, message]) => [{ body }, message] as const)
  expect(await harness.refusals(changePreferences, rows, { as: ada })).toEqual(rows)
})

it('changes are limited to 100 an hour', async () => {
  for (let n = 0; n < preferenceChangesLimit.max; n++) await change(ada, nothing)
  const refused = await harness.inject(changePreferences, { as: ada, body: nothing })
  expect([refused.statusCode, refused.json()]).toMatchObject([
    429,
    { message: 'Too many changes of preferences. Please try again in 60 minutes.' },
  ])
  await change(ben, nothing)
})
