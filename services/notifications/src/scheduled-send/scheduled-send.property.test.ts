import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { campaignDecider } from '../campaign/decider.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import { createCautiousClock } from './cautious-clock.ts'
import { createDueScheduled } from './due-scheduled.ts'
import { createSendScheduled } from './send-scheduled.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const startMs = Date.parse('2026-12-01T03:30:00.000Z')
const text = someText(1)
const { notificationId } = text
const admin = userIdAt(90_000)
const users = Array.from({ length: 700 }, (_, n) => userIdAt(n + 1))
const logger = pino({ level: 'silent' })

type Trouble = 'crash before' | 'crash after' | 'other process' | 'discard' | 'change'
type Step =
  | { readonly kind: 'pass' | 'down'; readonly minutes: number }
  /** The clock of the machine is wrong for less than an hour. */
  | { readonly kind: 'set'; readonly byDays: -1 | 1; readonly minutes: number }
  | { readonly kind: 'change'; readonly inMinutes: number }
  | { readonly kind: 'discard' }
  /** What happens at the next append of a process. */
  | { readonly kind: 'trouble'; readonly trouble: Trouble }

const minutes = (max: number) => fc.integer({ min: 1, max })
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant('pass' as const), minutes: minutes(90) }),
    fc.record({ kind: fc.constant('down' as const), minutes: minutes(150) }),
    fc.record({ kind: fc.constant('set' as const), byDays: fc.constantFrom(-1, 1), minutes: minutes(55) }),
    fc.record({ kind: fc.constant('change' as const), inMinutes: minutes(200) }),
    fc.record({ kind: fc.constant('discard' as const) }),
    fc.record({
      kind: fc.constant('trouble' as const),
      trouble: fc.constantFrom<Trouble>('crash before', 'crash after', 'other process', 'discard', 'change'),
    }),
  ),
  { maxLength: 10 },
)

/** A crash ends its process only. */
const isCrash = (error: unknown): boolean => error instanceof Error && error.message === 'crash'

/** One machine with its clock, a log, admins and the process that delivers. */
const createWorld = (maxRecipientsPerAppend: number) => {
  const store: EventStore = openSqliteEventStore({ path: ':memory:' })
  let [trueMs, wrongByMs, commands] = [startMs, 0, 0]
  const troubles: Trouble[] = []
  /** When each event was recorded, by the right clock. */
  const recordedAtMs = new Map<string, number>()

  const state = async () => (await loadState(store, campaignDecider, notificationId)).state
  const command = async (given: Parameters<typeof campaignDecider.decide>[0]) => {
    const id = `${(commands += 1)}`.padStart(12, '0')
    await handleCommand(store, campaignDecider, notificationId, given, {
      eventId: (index) => `00000000-0000-8000-8000-${id.slice(0, 11)}${index}`,
    })
  }
  const content = (inMs: number) => ({
    text,
    userIds: users,
    says: 'Chosen by hand: 700 people',
    targeted: users.length,
    sendAt: new Date(trueMs + inMs).toISOString(),
    nowMs: trueMs,
  })
  const change = async (inMs: number): Promise<void> => {
    const { scheduled } = await state()
    const version = scheduled?.version ?? 0
    await command({ type: 'ChangeScheduledSend', ...content(inMs), changedBy: admin, version })
  }
  const discard = () => command({ type: 'DiscardScheduledSend', notificationId, discardedBy: admin })

  /** The list as the projection has it. */
  const readModel = {
    range: async () => {
      const { scheduled, sent } = await state()
      if (!scheduled || sent || scheduled.isDiscarded) return []
      const { sendAt, says, sentBy } = scheduled.content
      const { version, missed } = scheduled
      const value = { title: text.title, says, sendAt, sentBy, version, ...(missed && { missed }) }
      return [{ member: notificationId, score: 1, value }]
    },
  }

  const ports: Pick<EventStore, 'append' | 'read'> = {
    read: store.read,
    append: async (...given) => {
      const trouble = wrongByMs === 0 ? troubles.shift() : undefined
      if (trouble === 'crash before') throw new Error('crash')
      if (trouble === 'discard') await discard()
      if (trouble === 'change') await change(30 * minuteMs)
      if (trouble === 'other process') await startProcess()()
      const answer = await store.append(...given)
      if (answer.kind === 'appended') for (const { type } of given[2]) recordedAtMs.set(type, trueMs)
      if (trouble === 'crash after') throw new Error('crash')
      return answer
    },
  }

  /** Returns what the process does each time it reads what is due. */
  const startProcess = (): (() => Promise<void>) => {
    const nowMs = createCautiousClock({ now: () => new Date(trueMs + wrongByMs), elapsedMs: () => trueMs - startMs })
    nowMs()
    const sendScheduled = createSendScheduled({
      eventStore: ports,
      recipients: { find: async (userIds) => new Set(userIds) },
      selectAudience: () => Promise.reject(new Error('there is no rule')),
      clockAndIds: { newId: () => crypto.randomUUID() },
      maxRecipientsPerAppend,
    })
    const dueScheduled = createDueScheduled({ eventStore: ports, readModel, sendScheduled, nowMs, logger })
    return async () => {
      for (const due of await dueScheduled()) if (due.inMs <= 0) await due.send()
    }
  }

  let process: (() => Promise<void>) | undefined = startProcess()
  const pass = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute++) {
      trueMs += minuteMs
      try {
        process ??= startProcess()
        await process()
      } catch (error) {
        if (!isCrash(error)) throw error
        process = undefined
      }
    }
  }

  return {
    store,
    recordedAtMs,
    state,
    pass,
    schedule: () => command({ type: 'ScheduleSend', ...content(hourMs), sentBy: admin, fingerprint: 'of the request' }),
    step: async (step: Step): Promise<void> => {
      switch (step.kind) {
        case 'pass':
          return pass(step.minutes)
        case 'down':
          process = undefined
          trueMs += step.minutes * minuteMs
          return undefined
        case 'set':
          process ??= startProcess()
          wrongByMs = step.byDays * dayMs
          await pass(step.minutes)
          wrongByMs = 0
          return undefined
        case 'change':
          return change(step.inMinutes * minuteMs)
        case 'discard':
          return discard()
        case 'trouble':
          troubles.push(step.trouble)
          return undefined
      }
    },
    events: async (): Promise<readonly CampaignEvent[]> => {
      const events: CampaignEvent[] = []
      for await (const event of store.read(`campaign-${notificationId}`)) events.push(campaignDecider.parse(event))
      return events
    },
  }
}

const isSend = ({ type }: CampaignEvent): boolean => type === 'CampaignSent' || type === 'CampaignPlanned'

it('goes once, at its time and at most an hour later, or is missed, and never after it was discarded', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(500, 1_000), async (some, maxRecipientsPerAppend) => {
      const world = createWorld(maxRecipientsPerAppend)
      try {
        await world.schedule()
        for (const step of some) await world.step(step)
        // Every time that a step has chosen is over by then.
        await world.pass(300)
        const [events, { scheduled }] = [await world.events(), await world.state()]
        const types = events.map(({ type }) => type)
        const sends = events.filter(isSend)
        const dueMs = Date.parse(scheduled?.content.sendAt ?? '')
        const sentAtMs = world.recordedAtMs.get('CampaignSent') ?? world.recordedAtMs.get('CampaignPlanned')
        expect(sends.length).toBe(scheduled?.isDiscarded || scheduled?.missed ? 0 : 1)
        const sentAfterMs = sentAtMs === undefined ? 0 : sentAtMs - dueMs
        const missedAtMs = world.recordedAtMs.get('ScheduledSendMissed') ?? Infinity
        const faults = {
          isEarly: sentAfterMs < 0,
          isLate: sentAfterMs > hourMs,
          isMissedEarly: scheduled?.missed !== undefined && missedAtMs <= dueMs + hourMs,
          // Nothing about its time follows a send.
          isChangedAfter:
            sends.length > 0 && types.findLastIndex((type) => type.startsWith('Scheduled')) > events.findIndex(isSend),
        }
        expect(faults).toEqual({ isEarly: false, isLate: false, isMissedEarly: false, isChangedAfter: false })
        const reached = events.flatMap((event) =>
          event.type === 'RecipientsTargeted' ? event.data.recipients.flatMap(({ userIds }) => userIds) : [],
        )
        const isWhole = types.includes('CampaignSent')
        expect(reached.toSorted()).toEqual(isWhole ? users.toSorted() : [])
      } finally {
        await world.store.close()
      }
    }),
    { numRuns: 60 },
  )
})
