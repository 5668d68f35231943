import { randomUUID } from 'node:crypto'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { type EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { campaignDecider } from '../campaign/decider.ts'
import { createPlanCampaign } from '../campaign/plan-campaign.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import { createDistributePlan } from '../distribution/distribute-plan.ts'
import { createSendHeld } from './send-held.ts'
import { createTakeBack } from './take-back.ts'

const text = someText(1)
const { notificationId } = text
const admin = userIdAt(90_000)
const users = Array.from({ length: 700 }, (_, n) => userIdAt(n + 1))
const readModel = { whenApplied: async () => true }
const fingerprint = 'of the request'

const hold = (store: EventStore) => {
  const plan = createPlanCampaign({ eventStore: store, clockAndIds: { newId: () => randomUUID() } })
  const before = { state: campaignDecider.initial, revision: 'no-stream' } as const
  return plan({ text, sentBy: admin, fingerprint }, users, before, {}, '2026-11-28T10:00:08.000Z')
}

type Trouble = 'none' | 'crash before' | 'crash after' | 'taken back' | 'other process'
type Ports = Pick<EventStore, 'append' | 'read'>

const isCrash = (error: unknown): boolean => error instanceof Error && error.message === 'crash'

/** A crash ends its process only. Anything else fails the property. */
const endedByCrash = (error: unknown): void => {
  if (!isCrash(error)) throw error
}

/** A process that sends, and distributes what it sent as a plan. */
const run = async (eventStore: Ports, maxRecipientsPerAppend: number): Promise<void> => {
  const logger = pino({ level: 'silent' })
  const seenCounter = { wait: async () => 0 }
  const deps = { eventStore, readModel, seenCounter, seenTimeoutMs: 1, logger, maxRecipientsPerAppend }
  const sent = await createSendHeld(deps)(notificationId, {})
  const { signal } = new AbortController()
  if (sent.ok) await createDistributePlan({ eventStore, readModel, signal })(notificationId)
}

const withTroubles = (store: EventStore, left: Trouble[], maxPerAppend: number): Ports => ({
  read: store.read,
  append: async (...given) => {
    const trouble = left.shift() ?? 'none'
    if (trouble === 'crash before') throw new Error('crash')
    if (trouble === 'taken back') await createTakeBack(store)({ notificationId, takenBackBy: admin }, {})
    if (trouble === 'other process')
      await run(withTroubles(store, left, maxPerAppend), maxPerAppend).catch(endedByCrash)
    const answer = await store.append(...given)
    if (trouble === 'crash after') throw new Error('crash')
    return answer
  },
})

const recorded = async (store: EventStore): Promise<readonly CampaignEvent[]> => {
  const events: CampaignEvent[] = []
  for await (const event of store.read(`campaign-${notificationId}`)) events.push(campaignDecider.parse(event))
  return events
}

it('reaches everybody once, or nobody if it was taken back, in any order of crashes and overlapping processes', async () => {
  const troubles = fc.array(
    fc.constantFrom<Trouble>('none', 'crash before', 'crash after', 'taken back', 'other process'),
    { maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(troubles, fc.constantFrom(500, 1_000), async (some, maxPerAppend) => {
      const store = openSqliteEventStore({ path: ':memory:' })
      try {
        await hold(store)
        const left = [...some]
        for (const _ of some) await run(withTroubles(store, left, maxPerAppend), maxPerAppend).catch(endedByCrash)
        await run(store, maxPerAppend)
        const events = await recorded(store)
        const isTakenBack = events.some(({ type }) => type === 'CampaignTakenBack')
        const reached = events.flatMap((event) =>
          event.type === 'RecipientsTargeted' ? event.data.recipients.flatMap(({ userIds }) => userIds) : [],
        )
        expect(reached.toSorted()).toEqual(isTakenBack ? [] : users.toSorted())
        const accepted = events.filter(({ type }) => type === 'CampaignSent' || type === 'CampaignPlanned')
        expect(accepted).toHaveLength(isTakenBack ? 0 : 1)
      } finally {
        await store.close()
      }
    }),
    { numRuns: 40 },
  )
})
