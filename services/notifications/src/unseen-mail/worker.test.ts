import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import type { UserId } from '@portal/contracts/shared/ids'
import {
  createUnseenMailWorld,
  type UnseenMailWorld,
  withoutDevice,
} from '@portal/notifications/testing/unseen-mail-world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let world: UnseenMailWorld
let ada: UserId
beforeEach(() => {
  world = createUnseenMailWorld()
  ada = world.register(1)
})
afterEach(() => world.close())

/** Runs a round each hour. */
const hours = async (count: number): Promise<void> => {
  for (let hour = 0; hour < count; hour++) {
    world.later(hourMs)
    await world.round()
  }
}
const addresses = () => world.sent.map(({ to }) => to)
const ids = () => world.sent.map(({ id }) => id)

it('tells who has no device and has not read for a day, once, of all that is unread', async () => {
  const ben = world.register(2)
  const first = world.send([ada, ben])
  await hours(23)
  const second = world.send([ada], { outcome: { state: 'live' } })
  world.read(ben, first)
  expect(world.sent).toEqual([])
  await hours(1)
  await hours(48)
  expect(world.sent).toHaveLength(1)
  const unsubscribeUrl = `https://portal.example/notifications/unsubscribe?token=${world.tokens.of(ada)}`
  expect(world.sent[0]).toMatchObject({ to: 'learner1@example.com', subject: '2 unread notifications', unsubscribeUrl })
  expect(world.sent[0]?.text).toBe(
    [
      'You have 2 unread notifications:',
      'Title 2\nMessage 2',
      'Title 1\nMessage 1',
      'Open your notifications: https://portal.example/notification',
      'Choose what you get by email: https://portal.example/profile/notifications',
      `Stop these emails: ${unsubscribeUrl}\n`,
    ].join('\n\n'),
  )
  expect(world.recorded()).toEqual([{ id: ids()[0], userId: ada, notificationIds: [second, first] }])
})

it('fills in placeholders for their recipient', async () => {
  const ben = world.register(2)
  const text = { title: 'For {{name}}', message: 'Your code: {{code|none}}', hasPlaceholders: true } as const
  world.send([ada, ben], { text })
  world.erase(ben)
  await hours(24)
  expect(world.sent).toMatchObject([{ to: 'learner1@example.com', subject: 'For Learner 1' }])
  expect(world.sent[0]?.text).toContain('For Learner 1\nYour code: MIN-2026-0001\n')
})

it('is in the language that their recipient has chosen', async () => {
  const ben = world.register(2, true, { notificationLanguage: 'hi' })
  const translation = { lang: 'hi', title: 'परीक्षा', message: 'सोमवार को' }
  world.send([ada, ben], { text: { title: 'Exam', message: 'On Monday', translation } })
  await hours(24)
  expect(world.sent.map(({ subject }) => subject).toSorted()).toEqual(['Exam', 'परीक्षा'])
  expect(world.sent.find(({ subject }) => subject === 'परीक्षा')?.text).toContain('परीक्षा\nसोमवार को\n')
})

it('names a single notification in the subject, and shortens a long text', async () => {
  world.send([ada], { text: { title: 'Exam on Monday', message: 'अ'.repeat(1_000) } })
  await hours(24)
  expect(world.sent[0]?.subject).toBe('Exam on Monday')
  expect(world.sent[0]?.text).toMatch(/Exam on Monday\nअ{100,}…\n/)
})

it('sends one e-mail a day at most, with what is new first, and counts what does not fit', async () => {
  const sendMany = (count: number) => Array.from({ length: count }, () => world.send([ada]))
  sendMany(15)
  await hours(1)
  const late = sendMany(10)
  await hours(23)
  expect(world.sent[0]?.text).toContain('\n\nand 5 more\n\n')
  expect(world.recorded()[0]?.notificationIds).toHaveLength(20)
  await hours(23)
  expect(world.sent).toHaveLength(1)
  await hours(1)
  expect(world.sent).toHaveLength(2)
  const told = world.recorded().flatMap(({ notificationIds }) => notificationIds)
  expect(new Set(told).size).toBe(25)
  expect(told).toEqual(expect.arrayContaining(late))
  await hours(72)
  expect(world.sent).toHaveLength(2)
})

describe('nobody gets an e-mail', () => {
  it('who has read it, has a device by now, is erased or deactivated, opted out, or has not proved the address', async () => {
    const [reader, owner, erased, optedOut, unproved, recalled, deactivated] = [2, 3, 4, 5, 6, 7, 8].map((n) =>
      world.register(n, n !== 6),
    )
    if (!reader || !owner || !erased || !optedOut || !unproved || !recalled || !deactivated)
      throw new Error('test user missing')
    const sent = world.send([reader, owner, erased, optedOut, unproved, deactivated])
    const withdrawn = world.send([recalled])
    await hours(23)
    world.read(reader, sent)
    world.registerDevice(owner)
    world.erase(erased)
    world.deactivate(deactivated)
    world.optOut(optedOut, ...notificationTypes)
    world.recall(withdrawn)
    await hours(30)
    expect(world.sent).toEqual([])
  })

  it('about types that they do not want by e-mail', async () => {
    world.optOut(ada, 'General')
    world.send([ada])
    await hours(30)
    expect(world.sent).toEqual([])
    world.send([ada], { text: { type: 'Exam', title: 'Exam' } })
    await hours(24)
    expect(world.sent.map(({ subject }) => subject)).toEqual(['Exam'])
  })

  it('about what a device has got, or what is sample data', async () => {
    world.send([ada], { outcome: { state: 'pushed' } })
    world.send([ada], { outcome: { state: 'skipped', reason: deliveryReasons.sampleData } })
    await hours(30)
    expect(world.sent).toEqual([])
  })

  it('about what is more than three days overdue, as after an upgrade, even with a clock that is a day wrong', async () => {
    world.send([ada])
    world.later(5 * dayMs)
    for (const errorMs of [0, dayMs]) {
      world.setClock('machine', errorMs)
      world.restart()
      await world.round()
    }
    expect(world.sent).toEqual([])
    world.send([ada], { text: { title: 'New' } })
    await hours(24)
    expect(world.sent.map(({ subject }) => subject)).toEqual(['2 unread notifications'])
  })
})

it('sends nothing while the projections have not caught up, or the inbox lags behind', async () => {
  const sent = world.send([ada])
  await world.project()
  world.later(dayMs)
  world.setCaughtUp(false)
  await world.round()
  world.setCaughtUp(true)
  world.read(ada, sent)
  // The read is in the log, and not in the inbox.
  await world.projectAllButInbox()
  await world.roundAsProjected()
  expect(world.sent).toEqual([])
  await hours(2)
  expect(world.sent).toEqual([])
})

it('sends nothing to who has unsubscribed, also before that is projected', async () => {
  world.send([ada])
  await world.project()
  world.later(dayMs)
  world.optOut(ada, ...notificationTypes)
  await world.roundAsProjected()
  expect(world.sent).toEqual([])
})

it('tells who turned out to have no device only after a day, within another day', async () => {
  const sent = world.send([ada], { outcome: 'pending' })
  await hours(30)
  world.settle(sent, [ada], withoutDevice)
  await hours(24)
  expect(addresses()).toEqual(['learner1@example.com'])
})

it('a replay or a start sends nothing again', async () => {
  world.send([ada])
  await hours(24)
  expect(world.sent).toHaveLength(1)
  world.restart()
  await hours(30)
  expect(world.sent).toHaveLength(1)
})

it('a crash between an e-mail and its record repeats it under the same id, and records it once', async () => {
  world.send([ada])
  world.later(dayMs)
  await world.crash()
  world.send([ada])
  await hours(3)
  expect(world.sent).toHaveLength(2)
  expect(new Set(ids()).size).toBe(1)
  expect(world.recorded()).toMatchObject([{ id: ids()[0] }])
  world.send([ada])
  await hours(24)
  expect(new Set(ids()).size).toBe(2)
})

it('sends nothing while the log takes no writes', async () => {
  world.send([ada])
  world.later(dayMs)
  world.setReadOnly(true)
  await world.round()
  expect(world.sent).toEqual([])
  world.setReadOnly(false)
  await hours(2)
  expect(world.sent).toHaveLength(1)
})

it('tries again later if the mail server is down, a few times at most, and one user does not keep others from theirs', async () => {
  const ben = world.register(2)
  world.send([ada, ben])
  world.setMailDown(true)
  world.later(dayMs)
  await world.round()
  await world.round()
  expect(world.logged).toHaveLength(2)
  expect(world.logged.join()).toMatch(/"reason":"Error EENVELOPE".*could not be sent, retrying/)
  expect(world.logged.join()).not.toContain('@')
  world.setMailDown(false)
  await hours(2)
  expect(addresses().toSorted()).toEqual(['learner1@example.com', 'learner2@example.com'])

  world.send([ada])
  world.setMailDown(true)
  await hours(24 * 6)
  world.setMailDown(false)
  await hours(24)
  expect(world.sent).toHaveLength(2)
})

it('clocks that are a day wrong repeat nothing and lose nothing', async () => {
  world.send([ada])
  await hours(2)
  world.setClock('machine', dayMs)
  await hours(2)
  expect(world.sent).toEqual([])
  await hours(20)
  expect(world.sent).toHaveLength(1)
  world.setClock('machine', -dayMs)
  world.send([ada])
  await hours(24)
  expect(world.sent).toHaveLength(1)
  await hours(25)
  expect(world.sent).toHaveLength(2)
  world.setClock('machine', 0)
  world.setClock('store', -dayMs)
  world.send([ada])
  await hours(1)
  world.setClock('store', 0)
  await hours(24)
  expect(world.sent).toHaveLength(3)
  const told = world.recorded().flatMap(({ notificationIds }) => notificationIds)
  expect(told).toHaveLength(3)
  expect(new Set(told).size).toBe(3)
})
