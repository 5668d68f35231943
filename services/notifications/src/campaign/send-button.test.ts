import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import {
  getCampaign,
  getNotification,
  listNotifications,
  listRecentNotifications,
  readNotification,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContentCache } from '../inbox/content-cache.ts'
import { createInboxReader } from '../inbox/inbox-reader.ts'
import { textRef } from '../read-model.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

let portal: Harness
let admin: Person
let ada: Person

beforeAll(async () => {
  portal = await startHarness({ delivers: false })
  ;({ admin, ada } = await portal.cast())
})
afterAll(() => portal.stop())

const button = { label: 'Choose your center', url: 'https://exam.example/centers?city=Pune' }
const bodyOf = (more: object = {}) => ({
  userIds: [ada.userId],
  title: 'Exam',
  message: 'Please choose',
  type: 'Exam',
  ...more,
})
const send = async (more: object = {}): Promise<NotificationId> =>
  (await portal.call(sendNotification, { as: admin, body: bodyOf(more) })).notificationId
const keyed = (key: string, more: object = {}) =>
  portal.inject(sendNotification, { as: admin, body: bodyOf(more), headers: { 'idempotency-key': key } })

const newest = async () => (await portal.call(listNotifications, { as: ada })).notifications[0]
const changes = () => {
  const { readModel } = portal.context
  return createInboxReader(readModel, {
    contentCache: createContentCache(readModel),
    fillTexts: plainTexts,
  }).changesSince(ada.userId, 0, readModel.epoch)
}

describe('[C-18] a notification with a button', () => {
  it('has it wherever the notification is: list, detail, read, live message, history and campaign', async () => {
    const id = await send({ button: { label: ` ${button.label} `, url: ` ${button.url} ` } })
    const params = { id }
    expect((await newest())?.button).toEqual(button)
    expect((await portal.call(getNotification, { as: ada, params })).notification.button).toEqual(button)
    expect((await portal.call(readNotification, { as: ada, params })).notification.button).toEqual(button)
    expect(await changes()).toMatchObject({ changes: [{ kind: 'arrived', notification: { _id: id, button } }, {}] })
    const { notifications } = await portal.call(listRecentNotifications, { as: admin })
    expect(notifications[0]).toMatchObject({ _id: id, button })
    expect((await portal.call(getCampaign, { as: admin, params })).campaign.button).toEqual(button)
  })

  it('loses it with its text in a recall', async () => {
    const id = await send({ button })
    await portal.call(recallNotification, { as: admin, params: { id }, body: { reason: 'wrong address' } })
    expect(await newest()).toMatchObject({ _id: id, message: '' })
    expect(await newest()).not.toHaveProperty('button')
    expect((await portal.call(getCampaign, { as: admin, params: { id } })).campaign).not.toHaveProperty('button')
    expect(JSON.stringify(await portal.context.readModel.get(textRef(id)))).not.toContain('exam.example')
  })

  it('gets it back from the log if the read model has lost the text', async () => {
    const id = await send({ button })
    const db = new DatabaseSync(join(portal.folder, 'read.db'), { timeout: 5_000 })
    db.prepare("DELETE FROM documents WHERE collection = 'notification-text' AND key = ?").run(id)
    db.close()
    await portal.restart()
    expect((await newest())?.button).toEqual(button)
    expect(await portal.context.readModel.get(textRef(id))).toMatchObject({ button })
  })

  it('is rejected at the wrong part, in words, and records nothing', async () => {
    const end = await portal.context.eventStore.end()
    const wrong = await portal.inject(sendNotification, {
      as: admin,
      body: bodyOf({ button: { label: ' ', url: 'http://exam.example' } }),
    })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toMatchObject({
      message: 'Please enter a button label',
      errors: {
        'button.label': 'Please enter a button label',
        'button.url': 'Enter an address that begins with https://, or a page of the portal such as /my-program',
      },
    })
    expect((await portal.inject(sendNotification, { as: admin, body: bodyOf({ button: null }) })).statusCode).toBe(400)
    expect(await portal.context.eventStore.end()).toBe(end)
  })
})

it('with an Idempotency-Key the same button is the same request, and any other one is not', async () => {
  const key = randomUUID()
  const first = await keyed(key, { button })
  expect(first.statusCode).toBe(200)
  expect((await keyed(key, { button: { url: button.url, label: button.label } })).body).toBe(first.body)
  const others = [{ button: { ...button, label: 'Open' } }, { button: { ...button, url: 'https://exam.example' } }, {}]
  const answers = await Promise.all(others.map((more) => keyed(key, more)))
  expect(answers.map(({ statusCode }, n) => [others[n], statusCode])).toEqual(others.map((more) => [more, 409]))
  const withoutButton = randomUUID()
  await keyed(withoutButton)
  expect((await keyed(withoutButton, { button })).statusCode).toBe(409)
})

const image = '/pictures/0123456789abcdef0123456789abcdef'

describe('[C-20] a notification with a picture', () => {
  it('has it wherever the notification is, and loses it in a recall', async () => {
    const id = await send({ image: ` ${image} ` })
    const params = { id }
    expect((await newest())?.image).toBe(image)
    expect((await portal.call(getCampaign, { as: admin, params })).campaign.image).toBe(image)
    await portal.call(recallNotification, { as: admin, params, body: {} })
    expect(await newest()).not.toHaveProperty('image')
    expect(JSON.stringify(await portal.context.readModel.get(textRef(id)))).not.toContain('pictures')
  })

  it('has none if the address is empty, and is rejected with another one', async () => {
    await send({ image: '' })
    expect(await newest()).not.toHaveProperty('image')
    const wrong = ['http://a.example/b.png', 'javascript:alert(1)', '//a.example/b.png', 'data:image/png;base64,AA']
    for (const address of wrong) {
      const answer = await portal.inject(sendNotification, { as: admin, body: bodyOf({ image: address }) })
      expect([address, answer.json()]).toMatchObject([address, { message: 'Image URL must start with https:// or /' }])
    }
  })

  it('is another request than one with another picture', async () => {
    const key = randomUUID()
    expect((await keyed(key, { image })).statusCode).toBe(200)
    expect((await keyed(key, { image })).statusCode).toBe(200)
    expect((await keyed(key)).statusCode).toBe(409)
  })
})
