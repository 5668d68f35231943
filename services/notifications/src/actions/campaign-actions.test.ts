import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { notificationIdAt, someText, userIdAt } from '@portal/notifications/testing/samples'
import { inboxProjection } from '../inbox/projection.ts'
import { campaignList, campaignPartition } from '../read-model.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import {
  actionsOf,
  actionsRef,
  changeList,
  lastChangeOf,
  lastChangeRef,
  maxActions,
  remindersOf,
  remindersRef,
} from './campaign-actions.ts'
import { sentCampaignOf } from '../campaign/projection.ts'

const [id, admin] = [notificationIdAt(1), userIdAt(9)]

let log: ProjectedLog
beforeEach(() => {
  log = createProjectedLog(inboxProjection)
})
afterEach(() => log.close())

const record = (...events: readonly CampaignEvent[]) => log.append(`campaign-${id}`, ...events)

const actions = async () => {
  await log.project()
  return actionsOf(await log.readModel.get(actionsRef(id)))
}

const resent = (attempt: number, ...users: readonly number[]): CampaignEvent => ({
  type: 'ResendRequested',
  data: {
    notificationId: id,
    requestedBy: admin,
    attempt,
    recipients: users.map((n) => ({ bucket: 'b00', userIds: [userIdAt(n)] })),
  },
})

const exported = (rows: number): CampaignEvent => ({
  type: 'RecipientsExported',
  data: { notificationId: id, requestedBy: admin, rows },
})

describe('the actions of a campaign', () => {
  it('name the admin, the time and the reason, oldest first', async () => {
    recordSend(log, 1, [userIdAt(1)])
    record({
      type: 'CancelRequested',
      data: { notificationId: id, requestedBy: admin, reason: 'wrong date', buckets: [] },
    })
    record(exported(12))
    record({ type: 'CampaignRecalled', data: { notificationId: id, recalledBy: admin, buckets: [] } })
    expect(await actions()).toEqual([
      { kind: 'sent', by: userIdAt(0), at: expect.any(String) },
      { kind: 'cancel-requested', by: admin, at: expect.any(String), reason: 'wrong date' },
      { kind: 'exported', by: admin, at: expect.any(String), recipients: 12 },
      { kind: 'recalled', by: admin, at: expect.any(String) },
    ])
  })

  it('have one entry for the chunks of one attempt', async () => {
    recordSend(log, 1, [userIdAt(1)])
    record(resent(2, 1, 2), resent(2, 3))
    record(resent(3, 1))
    const resends = (await actions()).filter(({ kind }) => kind === 'resent')
    expect(resends.map(({ attempt, recipients }) => [attempt, recipients])).toEqual([
      [2, 3],
      [3, 1],
    ])
  })

  it('are bounded: the oldest export makes room', async () => {
    recordSend(log, 1, [userIdAt(1)])
    for (let rows = 0; rows < 60; rows++) record(exported(rows))
    const kept = await actions()
    expect(kept).toHaveLength(maxActions)
    expect(kept[0]?.kind).toBe('sent')
    expect(kept.at(-1)?.recipients).toBe(59)
  })

  it('date the recall in the history', async () => {
    recordSend(log, 1, [userIdAt(1)])
    record({ type: 'CampaignRecalled', data: { notificationId: id, recalledBy: admin, buckets: [] } })
    await log.project()
    const entry = await log.readModel.entry(campaignPartition, campaignList, id)
    expect(sentCampaignOf(entry?.value).recalledAt).toBe(log.events.at(-1)?.at)
  })

  it('number the campaigns by their last action', async () => {
    for (const n of [1, 2, 3]) recordSend(log, n, [userIdAt(1)])
    record(exported(1))
    await log.project()
    const changed = await log.readModel.range(campaignPartition, changeList, { order: 'ascending', limit: 10 })
    expect(changed.map(({ member, score }) => [member, score])).toEqual([
      [notificationIdAt(2), 2],
      [notificationIdAt(3), 3],
      [notificationIdAt(1), 4],
    ])
    expect(lastChangeOf(await log.readModel.get(lastChangeRef))).toBe(4)
  })

  it('link a campaign to its reminders', async () => {
    recordSend(log, 1, [userIdAt(1)])
    log.append(`campaign-${notificationIdAt(2)}`, {
      type: 'CampaignSent',
      data: { text: someText(2), sentBy: admin, targeted: 1, buckets: [], remindsOf: id },
    })
    await log.project()
    expect(remindersOf(await log.readModel.get(remindersRef(id)))).toEqual([notificationIdAt(2)])
  })
})
