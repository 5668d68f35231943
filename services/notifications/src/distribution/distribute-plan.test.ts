import type { UserId } from '@portal/contracts/shared/ids'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { campaignDecider } from '../campaign/decider.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import { createPlanCampaign } from '../campaign/plan-campaign.ts'
import { createDistributePlan } from './distribute-plan.ts'

const text = someText(1)
const { notificationId } = text
const admin = userIdAt(90_000)
const users = Array.from({ length: 6_100 }, (_, n) => userIdAt(n + 1))
const stream = `campaign-${notificationId}`

let store: EventStore
beforeEach(() => {
  store = openSqliteEventStore({ path: ':memory:' })
})
afterEach(() => store.close())

const upToDate = { whenApplied: async () => true }
const running = new AbortController()

const plan = async (userIds: readonly UserId[] = users): Promise<void> => {
  const record = createPlanCampaign({ eventStore: store, clockAndIds: { newId: () => randomUUID() } })
  const before = { state: campaignDecider.initial, revision: 'no-stream' } as const
  const planned = await record({ text, sentBy: admin }, userIds, before, {})
  if (!planned.ok) throw new Error(planned.error.reason)
}

const cancel = async (): Promise<void> => {
  const command = { type: 'CancelCampaign', notificationId, requestedBy: admin } as const
  await handleCommand(store, campaignDecider, notificationId, command, {
    eventId: eventIdsOf(randomUUID()),
    maxAttempts: 50,
  })
}

const distributeOn = (eventStore: Pick<EventStore, 'append' | 'read'>): Promise<void> =>
  createDistributePlan({ eventStore, readModel: upToDate, signal: running.signal })(notificationId)

const recorded = async (): Promise<readonly CampaignEvent[]> => {
  const events: CampaignEvent[] = []
  for await (const event of store.read(stream)) events.push(campaignDecider.parse(event))
  return events
}

const usersOf = (events: readonly CampaignEvent[], type: 'RecipientsTargeted' | 'RecipientsWithheld') =>
  events.flatMap((event) => (event.type === type ? event.data.recipients.flatMap(({ userIds }) => userIds) : []))

/** Everyone has the notification once or never, and no one gets it after a cancel. */
const expectEachOnce = (events: readonly CampaignEvent[]): void => {
  const [targeted, withheld] = [usersOf(events, 'RecipientsTargeted'), usersOf(events, 'RecipientsWithheld')]
  expect([...targeted, ...withheld].toSorted()).toEqual(users.toSorted())
  const cancelledAt = events.findIndex(({ type }) => type === 'CancelRequested')
  if (cancelledAt >= 0) expect(usersOf(events.slice(cancelledAt), 'RecipientsTargeted')).toEqual([])
}

describe('distributing a planned campaign', () => {
  it('gives it to every recipient once', async () => {
    await plan()
    await distributeOn(store)
    expectEachOnce(await recorded())
    const length = (await recorded()).length
    await distributeOn(store)
    expect(await recorded()).toHaveLength(length)
  })

  it('ignores a campaign that was sent at once, and a plan that was not accepted', async () => {
    const data = { planId: 'crashed', recipients: [{ bucket: 'b00', userIds: [admin] }] }
    await store.append(stream, 'no-stream', [{ id: randomUUID(), type: 'RecipientsPlanned', data }])
    await distributeOn(store)
    expect(await recorded()).toHaveLength(1)
  })

  it('stays at most two appends ahead of the inboxes', async () => {
    await plan()
    let applied = (_isApplied: boolean): void => undefined
    const waiting = new Promise<boolean>((resolve) => (applied = resolve))
    const readModel = { whenApplied: () => waiting }
    const distributing = createDistributePlan({ eventStore: store, readModel, signal: running.signal })(notificationId)
    while (usersOf(await recorded(), 'RecipientsTargeted').length < 4_000) await nextTurn()
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    expect(usersOf(await recorded(), 'RecipientsTargeted')).toHaveLength(4_000)
    applied(true)
    await distributing
    expectEachOnce(await recorded())
  })

  it('stops when its process stops, also while the inboxes are behind', async () => {
    await plan()
    const stopping = new AbortController()
    const readModel = {
      whenApplied: async () => {
        stopping.abort(new Error('stopping'))
        return false
      },
    }
    const distribute = createDistributePlan({ eventStore: store, readModel, signal: stopping.signal })
    await expect(distribute(notificationId)).rejects.toThrow('stopping')
    await distributeOn(store)
    expectEachOnce(await recorded())
  })
})

type Trouble = 'none' | 'crash before' | 'crash after' | 'outcomes' | 'cancel' | 'other process'
const troubles = fc.array(
  fc.constantFrom<Trouble>('none', 'none', 'crash before', 'crash after', 'outcomes', 'cancel', 'other process'),
  { maxLength: 8 },
)

/** The store, with one trouble for each append. */
const withTroubles = (left: Trouble[]): Pick<EventStore, 'append' | 'read'> => ({
  read: store.read,
  append: async (name, expected, events) => {
    const trouble = left.shift() ?? 'none'
    if (trouble === 'crash before') throw new Error('crash')
    if (trouble === 'outcomes') {
      const data = { notificationId, settled: [] }
      await store.append(stream, 'any', [{ id: randomUUID(), type: 'RecipientsSettled', data }])
    }
    if (trouble === 'cancel') await cancel()
    if (trouble === 'other process') await distributeOn(withTroubles(left)).catch(() => undefined)
    const answer = await store.append(name, expected, events)
    if (trouble === 'crash after') throw new Error('crash')
    return answer
  },
})

it('gives each recipient one chunk in any order of crashes, outcomes, cancels and overlapping processes', async () => {
  await fc.assert(
    fc.asyncProperty(troubles, async (some) => {
      const previous = store
      store = openSqliteEventStore({ path: ':memory:' })
      try {
        await plan()
        const left = [...some]
        for (const _ of some) await distributeOn(withTroubles(left)).catch(() => undefined)
        await distributeOn(store)
        expectEachOnce(await recorded())
      } finally {
        await store.close()
        store = previous
      }
    }),
    { numRuns: 40 },
  )
})
