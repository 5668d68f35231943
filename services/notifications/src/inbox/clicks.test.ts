import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { recordRecall, recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import {
  clickNotification,
  countUnread,
  getCampaign,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCampaignProgress } from '../campaign/progress.ts'
import { inboxProjection } from './projection.ts'

describe('[N-34] a click on the button of a notification', () => {
  let portal: Harness
  let admin: Person
  let ada: Person
  let ben: Person
  beforeAll(async () => {
    portal = await startHarness()
    ;({ admin, ada, ben } = await portal.cast())
  })
  afterAll(() => portal.stop())

  const send = async (to: readonly Person[], button?: { label: string; url: string }) => {
    const userIds = to.map(({ userId }) => userId)
    const body = { userIds, title: 'Fees', message: 'Are due', button }
    return (await portal.call(sendNotification, { as: admin, body })).notificationId
  }
  const click = (as: Person, id: NotificationId) => portal.inject(clickNotification, { as, params: { id } })
  const progressOf = async (id: NotificationId) =>
    (await portal.call(getCampaign, { as: admin, params: { id } })).campaign.progress

  it('is counted once for each recipient, and does not read the notification', async () => {
    const id = await send([ada, ben], { label: 'My programs', url: '/my-program' })
    expect(await progressOf(id)).not.toHaveProperty('clicked')
    for (const person of [ada, ada, ben]) expect((await click(person, id)).statusCode).toBe(200)
    await until(async () => expect(await progressOf(id)).toMatchObject({ targeted: 2, clicked: 2, read: 0 }))
    expect((await click(ada, id)).statusCode).toBe(200)
    expect((await portal.call(countUnread, { as: ada })).count).toBe(1)
  })

  it('is refused for a notification without a button, of others, or withdrawn', async () => {
    const plain = await send([ada])
    const withdrawn = await send([ada], { label: 'Pay', url: 'https://pay.example' })
    await portal.call(recallNotification, { as: admin, params: { id: withdrawn }, body: {} })
    await portal.untilProjected()
    const answers = [await click(ada, plain), await click(ada, withdrawn), await click(ben, plain)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
  })
})

it('counts a click that was recorded twice once, also one from before a recall', async () => {
  const log = createProjectedLog(inboxProjection)
  const [ada, id] = [userIdAt(1), notificationIdAt(1)]
  recordSend(log, 1, [ada])
  const clicked = { type: 'ButtonClicked', data: { userId: ada, notificationId: id } } as const
  for (const _ of [1, 2]) log.append(`inbox-${ada}`, clicked)
  log.append(`inbox-${ada}`, { ...clicked, data: { userId: ada, notificationId: notificationIdAt(2) } })
  recordRecall(log, id)
  await log.project()
  const [progress] = await createCampaignProgress(log.readModel).progressOf([id])
  expect(progress).toMatchObject({ clicked: 1, recalled: 1, read: 0 })
  log.close()
})
