import {
  holdNotification,
  listHeldNotifications,
  sendHeldNotification,
} from '@portal/contracts/notifications/held-send'
import {
  getCampaign,
  getNotification,
  listNotifications,
  listRecentNotifications,
  readNotification,
  recallNotification,
  savePushToken,
  sendNotification,
  testNotification,
} from '@portal/contracts/notifications/http'
import { getScheduledNotification, sendScheduledNotification } from '@portal/contracts/notifications/scheduled-send'
import { downloadOwnData } from '@portal/contracts/notifications/own-data'
import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { encryptProfile, type Person, profileAt, type TestProfile } from '@portal/notifications/testing/people'
import { enrolledIn, programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildForEach } from './fill-texts.ts'

let portal: Harness
let admin: Person
let ada: Person
let ben: Person

beforeEach(async () => {
  portal = await startHarness({ timings: { graceMs: 5 } })
  ;({ admin, ada, ben } = await portal.cast())
  await portal.recordCatalog(savedProgram(1, 'Applied AI'), savedProgram(2, 'Data Science'))
})
afterEach(() => portal.stop())

const title = 'For {{name}}'
const message = '{{ program | a program }}: your code is {{code}}'
const filled = { title: 'For Learner 1', message: 'Applied AI: your code is MIN-2026-0001' }

const send = async (more: object = {}): Promise<NotificationId> => {
  const body = { ...('audience' in more ? {} : { userIds: [ada.userId] }), title, message, ...more }
  return (await portal.call(sendNotification, { as: admin, body })).notificationId
}
const pageOf = async (as: Person, query: Readonly<Record<string, string | number>> = {}) =>
  (await portal.call(listNotifications, { as, query })).notifications
const newest = async (as = ada) => (await pageOf(as))[0]

const correct = async ({ userId }: Person, profile: TestProfile): Promise<void> => {
  const encrypted = await encryptProfile(portal.context.vault, userId, profile)
  await portal.record({ userId }, { type: 'UserProfileChanged', data: { userId, profile: encrypted } })
}

describe('[C-22] a text with placeholders', () => {
  it('is filled in wherever its recipient reads it', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'))
    const id = await send()
    const params = { id }
    expect(await newest()).toMatchObject({ ...filled, notificationTitle: filled.title })
    expect((await portal.call(getNotification, { as: ada, params })).notification).toMatchObject(filled)
    expect((await portal.call(listRecentNotifications, { as: ada })).notifications).toMatchObject([filled])
    const { inbox } = portal.context.service
    const resumed = await inbox.changesSince(ada.userId, 0, inbox.epoch())
    expect(resumed).toMatchObject({ changes: [{ kind: 'arrived', notification: filled }] })
    expect((await portal.call(readNotification, { as: ada, params })).notification).toMatchObject(filled)
    expect((await portal.inject(downloadOwnData, { as: ada })).body).toContain(filled.message)
  })

  it('is stored and shown to admins as it was written', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'))
    const id = await send()
    await newest()
    const { notifications } = await portal.call(listRecentNotifications, { as: admin })
    expect(notifications).toMatchObject([{ title, message }])
    expect((await portal.call(getCampaign, { as: admin, params: { id } })).campaign).toMatchObject({ title, message })
    const stored: string[] = []
    for await (const { data } of readLogToEnd(portal.context.eventStore, 'start')) stored.push(JSON.stringify(data))
    expect(stored.filter((event) => event.includes('For {{name}}'))).not.toEqual([])
    expect(stored.join()).not.toContain('For Learner')
  })

  it('has its fallbacks where the recipient has nothing', async () => {
    await correct(ada, { ...profileAt(1), studentCode: '' })
    await send()
    expect(await newest()).toMatchObject({ title: 'For Learner 1', message: 'a program: your code is' })
    await send({ title: '{{code}}', message: '{{program}} and {{code|none}}' })
    expect(await newest()).toMatchObject({ title: 'Notification', message: 'your program and none' })
  })

  it('shows a corrected name, a renamed program and a new enrollment at the next read', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'))
    await send()
    expect(await newest()).toMatchObject(filled)
    expect(await newest()).toMatchObject(filled)
    await correct(ada, { ...profileAt(1), fullName: 'Ada Lovelace {{code}}' })
    expect((await newest())?.title).toBe('For Ada Lovelace {{code}}')
    await portal.recordCatalog(savedProgram(1, 'Artificial Intelligence'))
    expect((await newest())?.message).toMatch(/^Artificial Intelligence:/)
    await portal.recordCatalog(enrolledIn(2, ada.userId, 'Pending'))
    expect((await newest())?.message).toMatch(/^Data Science:/)
    await portal.recordCatalog({
      type: 'ProgramRemoved',
      data: { programId: programIdAt(2), removedAt: '2026-11-30T00:00:00.000Z' },
    })
    expect((await newest())?.message).toMatch(/^Artificial Intelligence:/)
  })

  it('names no program but those of the rule, also in a reminder and after a hold', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'), enrolledIn(2, ada.userId, 'Pending'))
    await send()
    expect((await newest())?.message).toMatch(/^Data Science:/)
    const audience = { programIds: [programIdAt(1)], include: [ben.userId] }
    const id = await send({ audience })
    expect((await newest())?.message).toMatch(/^Applied AI:/)
    expect((await newest(ben))?.message).toMatch(/^a program:/)
    const reminder = await send({ audience: { unreadOf: id } })
    await send({ audience: { unreadOf: reminder }, title: 'Again for {{name}}' })
    expect(await newest()).toMatchObject({ title: 'Again for Learner 1', message: filled.message })
    const body = { audience, title: 'Held for {{name}}', message }
    const held = await portal.call(holdNotification, {
      as: admin,
      body,
      headers: { 'idempotency-key': 'held-for-ada' },
    })
    expect((await portal.call(listHeldNotifications, { as: admin })).held).toMatchObject([
      { title: 'Held for {{name}}' },
    ])
    await portal.call(sendHeldNotification, { as: admin, params: { id: held.notificationId } })
    await until(async () =>
      expect(await newest()).toMatchObject({ title: 'Held for Learner 1', message: filled.message }),
    )
  })

  it('names the programs of the rule after a wait for its time, too', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'), enrolledIn(2, ada.userId, 'Pending'))
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const id = await send({ audience: { programIds: [programIdAt(1)] }, sendAt })
    expect(await pageOf(ada)).toEqual([])
    await portal.call(sendScheduledNotification, { as: admin, params: { id } })
    await until(async () => expect(await newest()).toMatchObject(filled))
  })

  it('is found by what its reader sees, and by nothing else', async () => {
    await send()
    await send({ title: 'Another', message: 'one' })
    expect(await pageOf(ada, { q: 'learner 1' })).toMatchObject([{ title: 'For Learner 1' }])
    expect(await pageOf(ada, { q: 'MIN-2026-0001', filter: 'unread' })).toMatchObject([{ title: 'For Learner 1' }])
    for (const q of ['{{name}}', 'learner 7']) expect(await pageOf(ada, { q })).toEqual([])
    await correct(ada, { ...profileAt(1), fullName: 'Ada Lovelace' })
    expect(await pageOf(ada, { q: 'learner 1' })).toEqual([])
    expect(await pageOf(ada, { q: 'lovelace' })).toMatchObject([{ title: 'For Ada Lovelace' }])
  })

  it('is pushed to each recipient as they read it', async () => {
    for (const [index, as] of [ada, ben].entries())
      await portal.call(savePushToken, { as, body: { token: `token-${index}` } })
    await portal.untilProjected()
    await send({ userIds: [ada.userId, ben.userId], message: '{{code}}' })
    await until(() => expect(portal.push.calls).toHaveLength(2))
    const pushed = new Map(portal.push.calls.map(({ tokens, message: push }) => [tokens[0], push]))
    expect(pushed.get('token-0')).toMatchObject({ title: 'For Learner 1', body: 'MIN-2026-0001' })
    expect(pushed.get('token-1')).toMatchObject({ title: 'For Learner 2', body: 'MIN-2026-0002' })
  })

  it('is filled in for the admin in a test on their own devices', async () => {
    await portal.call(savePushToken, { as: admin, body: { token: 'desk-token' } })
    await portal.untilProjected()
    await portal.call(testNotification, { as: admin, body: { title, message, type: 'General' } })
    const body = 'a program: your code is MIN-2026-0000'
    expect(portal.push.calls).toMatchObject([{ message: { title: 'Test: For Learner 0', body } }])
  })

  it('has nothing of a person whose key is destroyed, or who is deactivated', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'))
    const nobody = { title: 'For learner', message: 'a program: your code is' }
    await send({ userIds: [ada.userId, ben.userId] })
    expect(await newest()).toMatchObject(filled)
    await portal.record(ben, { type: 'UserDeactivated', data: { userId: ben.userId } })
    expect(await newest(ben)).toMatchObject(nobody)
    await portal.context.vault.erase(ada.userId)
    await portal.record(ada, { type: 'UserErased', data: { userId: ada.userId, emailIndex: 'index' } })
    expect(await newest()).toMatchObject(nobody)
  })
})

describe('[C-24] a text in a second language', () => {
  const translation = { lang: 'hi', title: '{{name}} के लिए', message: 'आपका कोड: {{code}}' }
  const translated = { title: 'Learner 1 के लिए', message: 'आपका कोड: MIN-2026-0001', lang: 'hi' }
  const plainTranslation = { lang: 'hi', title: 'परीक्षा', message: 'सोमवार को' }
  const chooses = (person: Person, n: number, notificationLanguage = 'hi') =>
    correct(person, { ...profileAt(n), notificationLanguage })

  it('is read by those who chose the language, and by them everywhere', async () => {
    await portal.recordCatalog(enrolledIn(1, ada.userId, 'Pending'), enrolledIn(1, ben.userId, 'Pending'))
    await chooses(ada, 1)
    const id = await send({ userIds: [ada.userId, ben.userId], translation })
    const params = { id }
    const { inbox } = portal.context.service
    const arrivalOf = async ({ userId }: Person) => {
      const resumed = await inbox.changesSince(userId, 0, inbox.epoch())
      const [change] = 'changes' in resumed ? resumed.changes : []
      return change?.kind === 'arrived' ? change.notification : undefined
    }
    const originals = { title: 'For Learner 2', message: 'Applied AI: your code is MIN-2026-0002' }
    for (const [as, expected] of [
      [ada, translated],
      [ben, originals],
    ] as const) {
      const read = [
        await newest(as),
        (await portal.call(getNotification, { as, params })).notification,
        (await portal.call(listRecentNotifications, { as })).notifications[0],
        await arrivalOf(as),
        (await pageOf(as, { q: expected.message }))[0],
        (await portal.call(readNotification, { as, params })).notification,
      ]
      const shown = read.map((one) => ({ title: one?.notificationTitle, message: one?.message, lang: one?.lang }))
      expect(shown).toEqual(read.map(() => expected))
      for (const one of read) expect(one).not.toHaveProperty('translation')
      expect((await portal.inject(downloadOwnData, { as })).body).toContain(expected.message)
    }
    expect(await pageOf(ada, { q: 'your code' })).toEqual([])
    expect(await pageOf(ben, { q: 'आपका' })).toEqual([])
  })

  it('is shown, and no longer shown, from the moment the reader chooses', async () => {
    await send({ ...plainTranslation, title: 'Exam', message: 'On Monday', translation: plainTranslation })
    expect(await newest()).toMatchObject({ title: 'Exam' })
    await chooses(ada, 1)
    expect(await newest()).toMatchObject(plainTranslation)
    expect(JSON.parse((await portal.inject(downloadOwnData, { as: ada })).body)).toMatchObject({
      notificationLanguage: 'hi',
      notifications: [{ title: 'परीक्षा' }],
    })
    await chooses(ada, 1, 'ta')
    expect(await newest()).toMatchObject({ title: 'Exam', message: 'On Monday' })
  })

  it('is stored once, and both texts are shown to admins, until a recall', async () => {
    await chooses(ada, 1)
    const id = await send({ translation })
    const { campaign } = await portal.call(getCampaign, { as: admin, params: { id } })
    expect(campaign).toMatchObject({ title, message, translation })
    expect(campaign).not.toHaveProperty('lang')
    const { notifications } = await portal.call(listRecentNotifications, { as: admin, query: { q: 'आपका' } })
    expect(notifications).toMatchObject([{ title, translation }])
    await portal.call(recallNotification, { as: admin, params: { id }, body: { reason: 'wrong' } })
    const recalled = (await portal.call(getCampaign, { as: admin, params: { id } })).campaign
    expect(recalled).not.toHaveProperty('translation')
    expect(await newest()).toMatchObject({ message: '' })
  })

  it('is pushed to each recipient as they read it', async () => {
    for (const [index, as] of [ada, ben].entries())
      await portal.call(savePushToken, { as, body: { token: `token-${index}` } })
    await chooses(ada, 1)
    await portal.untilProjected()
    const userIds = [ada.userId, ben.userId]
    await send({ userIds, title: 'Exam', message: 'On Monday', translation: plainTranslation })
    await until(() => expect(portal.push.calls).toHaveLength(2))
    const pushed = new Map(portal.push.calls.map(({ tokens, message: push }) => [tokens[0], push]))
    expect(pushed.get('token-0')).toMatchObject({ title: 'परीक्षा', body: 'सोमवार को', lang: 'hi' })
    expect(pushed.get('token-1')).toMatchObject({ title: 'Exam', body: 'On Monday' })
    expect(pushed.get('token-1')).not.toHaveProperty('lang')
  })

  it('is built once for all who read the same, so that they share a push', async () => {
    const [hindi, tamil, english] = [userIdAt(1), userIdAt(2), userIdAt(3)]
    const languages = new Map([
      [hindi, 'hi'],
      [tamil, 'ta'],
    ])
    const values = {
      of: async (userIds: readonly UserId[]) =>
        new Map(
          userIds.map((userId) => [
            userId,
            { version: '', values: { programs: [], name: userId, language: languages.get(userId) } },
          ]),
        ),
    }
    const built = async (more: Partial<NotificationText>) => {
      const texts = [{ ...someText(1), translation: plainTranslation, ...more }]
      const userIds = [hindi, tamil, english]
      const builtFor = await buildForEach(values, { texts, userIds }, (fill) => texts.map(fill).map((one) => one.title))
      return [builtFor(hindi), builtFor(tamil), builtFor(english)]
    }
    const [translatedOne, other, same] = await built({})
    expect([translatedOne, other]).toEqual([['परीक्षा'], [someText(1).title]])
    expect(same).toBe(other)
    expect(await built({ title: '{{name}}', hasPlaceholders: true })).toEqual([['परीक्षा'], [tamil], [english]])
  })

  it('waits with a scheduled send and a held one, and is part of what a repeated request repeats', async () => {
    await chooses(ada, 1)
    const body = { userIds: [ada.userId], title, message, translation }
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const params = { id: await send({ translation, sendAt }) }
    const { scheduled } = await portal.call(getScheduledNotification, { as: admin, params })
    expect(scheduled).toMatchObject({ translation })
    await portal.call(sendScheduledNotification, { as: admin, params })
    await until(async () => expect(await newest()).toMatchObject(translated))
    const headers = { 'idempotency-key': 'held-in-hindi' }
    const held = await portal.call(holdNotification, { as: admin, body, headers })
    const again = await portal.inject(holdNotification, {
      as: admin,
      body: { ...body, translation: plainTranslation },
      headers,
    })
    expect(again.statusCode).toBe(409)
    await portal.call(sendHeldNotification, { as: admin, params: { id: held.notificationId } })
    await until(async () => expect(await pageOf(ada)).toMatchObject([translated, translated]))
  })

  it('follows the rules of title and message', async () => {
    const wrong = { lang: 'en', title: ' ', message: 'x'.repeat(5_001) }
    const rows = [
      [
        wrong,
        {
          'translation.lang': 'Please choose a language',
          'translation.title': 'Please enter the title in the second language',
          'translation.message': 'Message must be at most 5000 characters',
        },
      ],
      [
        { ...plainTranslation, title: '{{nmae}}' },
        { 'translation.title': 'Unknown placeholder {{nmae}}. Did you mean {{name}}?' },
      ],
    ] as const
    for (const [given, errors] of rows)
      for (const route of [sendNotification, holdNotification, testNotification]) {
        const body = { userIds: [ada.userId], title, message, translation: given }
        const headers = { 'idempotency-key': 'a-wrong-translation' }
        const answer = await portal.inject(route, { as: admin, body, headers })
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toMatchObject({ errors })
      }
  })
})

describe('what is no placeholder', () => {
  it('stays text, also in texts of earlier releases and of the portal', async () => {
    const braces = { title: 'Use { } and {{ }}', message: 'if (a) { {name} }' }
    await send(braces)
    expect(await newest()).toMatchObject(braces)
    for await (const { data } of readLogToEnd(portal.context.eventStore, 'start', { categories: ['campaign'] }))
      expect(JSON.stringify(data)).not.toContain('hasPlaceholders')
  })

  it('an unknown placeholder is refused with the one that is meant, in each way to send', async () => {
    const wrong = { title: 'Hi {{nmae}}', message: '{{university}}', userIds: [ada.userId] }
    for (const route of [sendNotification, holdNotification, testNotification]) {
      const answer = await portal.inject(route, {
        as: admin,
        body: wrong,
        headers: { 'idempotency-key': 'an-unknown-one' },
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        errors: {
          title: 'Unknown placeholder {{nmae}}. Did you mean {{name}}?',
          message: 'Unknown placeholder {{university}}.',
        },
      })
    }
  })

  it('one that a button or a picture has is refused: nothing fills it in', async () => {
    const wrong = { label: 'For {{name}}', url: '/my-program?code={{code}}' }
    const body = { title: 'Hi', message: 'x', userIds: [ada.userId], button: wrong, image: '/media/{{code}}.png' }
    const answer = await portal.inject(sendNotification, { as: admin, body })
    expect(answer.statusCode).toBe(400)
    const refused = 'Placeholders work only in the title and the message'
    expect(answer.json()).toMatchObject({
      errors: { 'button.label': refused, 'button.url': refused, image: refused },
    })
  })
})
