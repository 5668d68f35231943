import { readNotification, sendNotification } from '@portal/contracts/notifications/http'
import { downloadOwnData } from '@portal/contracts/notifications/own-data'
import { changePreferences } from '@portal/contracts/notifications/preferences'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { type Person, tokenOf } from '@portal/notifications/testing/people'
import { enrolledIn, enrollmentOf } from '@portal/notifications/testing/programs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let portal: Harness
let admin: Person
let ada: Person
let ben: Person
beforeEach(async () => {
  portal = await startHarness()
  ;({ admin, ada, ben } = await portal.cast())
})
afterEach(() => portal.stop())

const download = (as: Person) => portal.inject(downloadOwnData, { as })
const send = async (title: string) => {
  const body = { userIds: [ada.userId], title, message: `The text of ${title}`, type: 'Exam' }
  return portal.call(sendNotification, { as: admin, body })
}

describe('the download of own data', () => {
  it('is a JSON file in plain words, without ids, of the caller alone', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'), enrolledIn(2, ben.userId, 'Pending'))
    const { userId, ...enrollment } = enrollmentOf(1, ada.userId)
    const feeAccount = { installmentsPaise: [1_500_000, 1_500_050, 100], paidPaise: 1_500_000 }
    await portal.recordCatalog({
      type: 'EnrollmentChanged',
      data: { userId, enrollment: { ...enrollment, feeAccount }, change: 'payment-confirmed' },
    })
    const first = await send('First')
    await send('Second')
    await portal.call(readNotification, { as: ada, params: { id: first.notificationId } })
    await portal.call(changePreferences, { as: ada, body: { push: {}, email: { Exam: false }, quietHours: null } })
    await portal.untilProjected()
    const answer = await download(ada)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.json"',
    })
    const data: unknown = answer.json()
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(data).toEqual({
      about: expect.any(Array),
      createdAt: time,
      name: 'Learner 1',
      email: 'learner1@example.com',
      emailConfirmed: true,
      mobileNumber: '',
      university: 'Eastbrook University',
      studentCode: 'MIN-2026-0001',
      role: 'student',
      registeredAt: time,
      enrollments: [
        {
          program: expect.stringMatching(/./),
          currentSemester: expect.any(String),
          fees: 'Pending',
          paidRupees: 15_000,
          openInstallments: [
            { installment: 2, openRupees: 15_000.5 },
            { installment: 3, openRupees: 1 },
          ],
        },
      ],
      preferences: expect.objectContaining({ email: expect.objectContaining({ Exam: false, General: true }) }),
      devices: [],
      notifications: [
        { title: 'Second', message: 'The text of Second', type: 'Exam', receivedAt: time, readAt: null },
        { title: 'First', message: 'The text of First', type: 'Exam', receivedAt: time, readAt: time },
      ],
    })
    expect(answer.body).not.toMatch(/0190000\d-0000/)
    expect(portal.context.securityLog.events.at(-1)).toMatchObject({ event: 'own-data-downloaded', userId: ada.userId })
  })

  it('has an inbox of several pages whole', async () => {
    for (let n = 0; n < 101; n++) await send(`Number ${n}`)
    await portal.untilProjected()
    const { notifications } = (await download(ada)).json<{ notifications: { title: string }[] }>()
    expect(new Set(notifications.map(({ title }) => title)).size).toBe(101)
    expect(notifications[0]?.title).toBe('Number 100')
  })

  it('has the newest of very many notifications, and says how many are left out', async () => {
    await portal.restart({ timings: { maxOwnNotifications: 100 } })
    for (let n = 0; n < 100; n++) await send(`Number ${n}`)
    await portal.untilProjected()
    expect((await download(ada)).json()).not.toHaveProperty('notificationsLeftOut')
    for (let n = 100; n < 103; n++) await send(`Number ${n}`)
    await portal.untilProjected()
    const data = (await download(ada)).json<{ about: string[]; notifications: { title: string }[] }>()
    expect(data).toMatchObject({ notificationsLeftOut: 3, notifications: { length: 100 } })
    expect(data.notifications.at(-1)?.title).toBe('Number 3')
    expect(data.about).toContain('Notifications: the newest 100 at most. notificationsLeftOut counts the others.')
  })

  it('works three times a day for each user, and HEAD is no download', async () => {
    const headers = { authorization: `Bearer ${tokenOf(ada)}` }
    const head = () => portal.context.app.inject({ method: 'HEAD', url: downloadOwnData.path, headers })
    for (let n = 0; n < 4; n++) expect((await head()).statusCode).toBe(200)
    for (let n = 0; n < 3; n++) expect((await download(ada)).statusCode).toBe(200)
    const refused = await download(ada)
    expect([refused.statusCode, refused.json().message]).toEqual([
      429,
      'Too many downloads of your data. Please try again in 24 hours.',
    ])
    expect((await download(ben)).json()).toMatchObject({ name: 'Learner 2', enrollments: [], notifications: [] })
  })
})
