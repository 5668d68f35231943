import { screen, within } from '@testing-library/react'
import { defaultPreferences, type Preferences } from '@portal/contracts/notifications/preferences'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeAnswer, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'Asia/Kolkata' }

let app: OpenApp
let stored: Preferences
let saves: unknown[]

const save: FakeHandler = ({ body }) => {
  saves.push(body)
  stored = body as Preferences
  return ok({ message: 'Preferences saved', preferences: stored })
}
const open = async (answers: Record<string, FakeHandler> = {}, emailAvailable = true) => {
  app = await openApp({
    path: '/profile/notifications',
    user: aUser(),
    answers: {
      'GET /user/devices': () => ok({ devices: [] }),
      'GET /user/preferences': () => ok({ preferences: stored, emailAvailable }),
      'PUT /user/preferences': save,
      ...answers,
    },
  })
}
const choice = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
const quiet = 'Hold pushes during quiet hours'
const select = async (label: string, option: string) => {
  await app.user.click(await screen.findByRole('combobox', { name: label }))
  await app.user.click(await screen.findByRole('option', { name: option }))
}
const valueOf = async (label: string) => (await screen.findByRole('combobox', { name: label })).textContent

/** The browser's time zone. */
const inZone = (timeZone: string) => {
  const { resolvedOptions } = Intl.DateTimeFormat.prototype
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (this: Intl.DateTimeFormat) {
    return { ...resolvedOptions.call(this), timeZone }
  })
}

beforeEach(() => {
  stored = defaultPreferences
  saves = []
})
afterEach(async () => {
  await app.close()
  vi.restoreAllMocks()
})

describe('what reaches this account', () => {
  it('[X-36] is chosen by type and channel, and saved at once', async () => {
    await open()
    const section = within(await screen.findByRole('region', { name: 'What reaches this account' }))
    expect(
      section.getByText('Your inbox always gets everything. What an admin marks as urgent comes anyway, at any hour.'),
    ).toBeDefined()
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').filter(({ checked }) => checked)).toHaveLength(12)
    await app.user.click(await choice('Exam: Email'))
    await until(() => expect(saves).toHaveLength(1))
    await app.user.click(await choice('General: Push'))
    const chosen = {
      push: { ...defaultPreferences.push, General: false },
      email: { ...defaultPreferences.email, Exam: false },
      quietHours: null,
    }
    await until(() => expect(saves.at(-1)).toEqual(chosen))
    expect((await choice('Exam: Email')).checked).toBe(false)
    expect((await choice('Exam: Push')).checked).toBe(true)
  })

  it('[X-36] comes back with the reason if it cannot be saved, and keeps what was saved before', async () => {
    let isDown = false
    const down = problem(503, 'unavailable', 'Please try again later')
    await open({ 'PUT /user/preferences': (request) => (isDown ? down : save(request)) })
    await app.user.click(await choice('Exam: Push'))
    await until(() => expect(saves).toHaveLength(1))
    isDown = true
    await app.user.click(await choice('General: Push'))
    expect(await screen.findByText('Please try again later')).toBeDefined()
    expect((await choice('General: Push')).checked).toBe(true)
    expect((await choice('Exam: Push')).checked).toBe(false)
  })

  it('[X-36] is as it was chosen last, although answers are late', async () => {
    const first = Promise.withResolvers<FakeAnswer>()
    let isFirst = true
    await open({
      'PUT /user/preferences': (request) => {
        const answer = save(request)
        if (!isFirst) return answer
        isFirst = false
        return first.promise
      },
    })
    await app.user.click(await choice('Exam: Push'))
    await app.user.click(await choice('Exam: Push'))
    expect((await choice('Exam: Push')).checked).toBe(true)
    expect(saves).toHaveLength(1)
    first.resolve(problem(503, 'unavailable', 'Please try again later'))
    await until(() => expect(saves).toHaveLength(2))
    expect(stored).toEqual(defaultPreferences)
    expect((await choice('Exam: Push')).checked).toBe(true)
  })

  it('[X-36] has no choice of email without a mail server', async () => {
    await open({}, false)
    expect(await screen.findByText('Email is off, because this portal has no mail server.')).toBeDefined()
    expect(screen.queryByRole('columnheader', { name: 'Email' })).toBeNull()
    expect(screen.queryByRole('checkbox', { name: 'Exam: Email' })).toBeNull()
  })

  it('[X-36] can be loaded again after a failure', async () => {
    let answer: FakeAnswer = problem(503, 'unavailable', 'Please try again later')
    await open({ 'GET /user/preferences': () => answer })
    const failure = await screen.findByRole('alert')
    expect(within(failure).getByText('Your preferences could not be loaded.')).toBeDefined()
    answer = ok({ preferences: defaultPreferences, emailAvailable: true })
    await app.user.click(within(failure).getByRole('button', { name: 'Try again' }))
    await choice('Exam: Push')
  })
})

it('[X-33 X-36] settings that failed as a whole are loaded again as a whole', async () => {
  let isDown = true
  const down = problem(503, 'unavailable', 'Please try again later')
  await open({
    'GET /user/devices': () => (isDown ? down : ok({ devices: [] })),
    'GET /user/preferences': () => (isDown ? down : ok({ preferences: stored, emailAvailable: true })),
  })
  const failure = within(await screen.findByRole('alert'))
  expect(await failure.findByText('Your notification settings could not be loaded.')).toBeDefined()
  isDown = false
  await app.user.click(failure.getByRole('button', { name: 'Try again' }))
  await choice('Exam: Push')
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('quiet hours', () => {
  it('[X-37] are off until they are chosen, from 10 PM to 7 AM in India Standard Time', async () => {
    inZone('Asia/Calcutta')
    await open()
    await screen.findByRole('region', { name: 'Quiet hours' })
    const hold = await choice(quiet)
    expect(hold.checked).toBe(false)
    expect(screen.queryByRole('combobox')).toBeNull()
    await app.user.click(hold)
    await until(() => expect(stored.quietHours).toEqual(night))
    expect([await valueOf('From'), await valueOf('To')]).toEqual(['10:00 PM', '7:00 AM'])
    expect(screen.getByText('India Standard Time')).toBeDefined()
    expect(screen.queryByRole('combobox', { name: 'Time zone' })).toBeNull()
  })

  it('[X-37] begin and end at other times, are turned off, and remember the times', async () => {
    inZone('Asia/Kolkata')
    stored = { ...defaultPreferences, quietHours: { ...night, from: '22:10' } }
    await open()
    expect(await valueOf('From')).toBe('10:10 PM')
    await select('From', '9:30 PM')
    await select('To', '12:00 AM')
    const chosen = { ...night, from: '21:30', to: '00:00' }
    await until(() => expect(stored.quietHours).toEqual(chosen))
    await app.user.click(await screen.findByRole('combobox', { name: 'To' }))
    expect(screen.queryByRole('option', { name: '9:30 PM' })).toBeNull()
    await app.user.keyboard('{Escape}')
    await app.user.click(await choice(quiet))
    await until(() => expect(stored.quietHours).toBeNull())
    await app.user.click(await choice(quiet))
    await until(() => expect(stored.quietHours).toEqual(chosen))
  })

  it('[X-37] begin in the zone of this device, if it is not in India, and offer both', async () => {
    inZone('Europe/Berlin')
    await open()
    await app.user.click(await choice(quiet))
    await until(() => expect(stored.quietHours).toEqual({ ...night, timeZone: 'Europe/Berlin' }))
    expect(await valueOf('Time zone')).toBe('Central European Time (Berlin)')
    await select('Time zone', 'India Standard Time')
    await until(() => expect(stored.quietHours).toEqual(night))
  })
})
