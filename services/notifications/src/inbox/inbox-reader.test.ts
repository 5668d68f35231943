import type { ReadModel } from '@portal/platform/read-model/port'
import { createSlot } from '@portal/platform/generations/active-generation'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createInboxReader } from './inbox-reader.ts'
import { createPageCache } from './routes.ts'
import { inboxProjection } from './projection.ts'
import { createContentCache } from './content-cache.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

const ada = userIdAt(1)

/** Two builds of one inbox with different numbering: the first has five arrivals, the second lacks two of them. */
let first: ProjectedLog
let second: ProjectedLog
beforeEach(async () => {
  first = createProjectedLog(inboxProjection)
  second = createProjectedLog(inboxProjection)
  for (const n of [1, 2, 3, 4, 5]) recordSend(first, n, [ada])
  for (const n of [1, 4, 5]) recordSend(second, n, [ada])
  await Promise.all([first.project(), second.project()])
})
afterEach(() => Promise.all([first.close(), second.close()]))

const slotOn = (readModel: ReadModel) =>
  createSlot({ name: 'inbox-first', readModel }, { refresh: async () => undefined })
const readerOf = ({ active }: ReturnType<typeof slotOn>) =>
  createInboxReader(active, { contentCache: createContentCache(active), fillTexts: plainTexts })
const everything = { page: 1, limit: 10 }

describe('a switch to another generation', () => {
  it('never mixes two numberings in one read', async () => {
    const switching: ReadModel = {
      ...first.readModel,
      range: async (...asked) => {
        slot.switchTo({ name: 'inbox-second', readModel: second.readModel })
        return first.readModel.range(...asked)
      },
    }
    const slot = slotOn(switching)
    const inbox = readerOf(slot)
    const page = await inbox.page(ada, everything)
    expect(page).toMatchObject({ epoch: first.readModel.epoch, seq: 5, unread: 5 })
    expect(page.notifications.map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1])
    expect(await inbox.page(ada, everything)).toMatchObject({ epoch: second.readModel.epoch, seq: 3, unread: 3 })
  })

  it('returns an error for an unreadable build, never an empty inbox', async () => {
    const whyNotReadable = () => new Error('rebuild it')
    const generation = { name: 'inbox-first', readModel: first.readModel }
    const inbox = readerOf(createSlot(generation, { refresh: async () => undefined, readError: whyNotReadable }))
    for (const read of [inbox.head(ada), inbox.page(ada, everything), inbox.changesSince(ada, 1), inbox.latest(ada)])
      await expect(read).rejects.toThrow('rebuild it')
  })

  it('is announced as a new epoch unless the builds were verified as equal', () => {
    const slot = slotOn(first.readModel)
    const inbox = readerOf(slot)
    const epochs: string[] = []
    const stop = inbox.onEpochChange(() => epochs.push(inbox.epoch()))
    slot.switchTo({ name: 'inbox-equal', readModel: second.readModel, epoch: first.readModel.epoch })
    expect(epochs).toEqual([])
    slot.switchTo({ name: 'inbox-second', readModel: second.readModel })
    expect(epochs).toEqual([second.readModel.epoch])
    stop()
    slot.switchTo({ name: 'inbox-first', readModel: first.readModel })
    expect(epochs).toHaveLength(1)
  })

  it('resets no resuming client if the builds were verified as equal', async () => {
    const slot = slotOn(first.readModel)
    const inbox = readerOf(slot)
    const { epoch, seq } = await inbox.head(ada)
    slot.switchTo({ name: 'inbox-equal', readModel: second.readModel, epoch })
    expect(await inbox.changesSince(ada, seq, epoch)).toMatchObject({ epoch, changes: [] })
    slot.switchTo({ name: 'inbox-second', readModel: second.readModel })
    expect(await inbox.changesSince(ada, seq, epoch)).toMatchObject({ reset: true, epoch: second.readModel.epoch })
  })

  it('invalidates a cached page of the other epoch, even with the same number', async () => {
    recordSend(second, 6, [ada])
    recordSend(second, 7, [ada])
    await second.project()
    const slot = slotOn(first.readModel)
    const pageBody = createPageCache(readerOf(slot))
    expect(await pageBody(ada, everything)).toContain(notificationIdAt(3))
    slot.switchTo({ name: 'inbox-second', readModel: second.readModel })
    const body = await pageBody(ada, everything)
    expect(body).toContain(notificationIdAt(7))
    expect(body).not.toContain(notificationIdAt(3))
  })
})
