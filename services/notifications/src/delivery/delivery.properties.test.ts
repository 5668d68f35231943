import { eachOutcome, type OutcomeState } from '@portal/contracts/notifications/outcome-states'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PushOutcome, PushSender } from '@portal/platform/outbound/port'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { recipientsOf } from '../inbox/documents.ts'
import { createInboxReader } from '../inbox/inbox-reader.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { createTexts } from '../inbox/texts.ts'
import { createCampaignProgress } from '../progress/campaign-progress.ts'
import { recipientsRef } from '../read-model.ts'
import { createMemoryLog } from '../testing/memory-log.ts'
import { createProjectedLog } from '../testing/projected-log.ts'
import { notificationIdAt, userIdAt } from '../testing/samples.ts'
import { recordSend } from '../testing/sends.ts'
import { createDeliverDue } from './deliver-due.ts'
import { ledgerProjection } from './ledger-projection.ts'
import { createOpenDeliveries } from './open-deliveries.ts'
import { createPushToUsers } from './push-to-users.ts'
import { createSeenWindow } from './seen-window.ts'

const users: readonly UserId[] = [1, 2, 3, 4].map(userIdAt)
/** The first has no device. */
const tokenOf = (userId: UserId): string | undefined => (userId === users[0] ? undefined : `token ${userId}`)
const graceMs = 5_000
const logger = pino({ level: 'silent' })

/** How an append goes. 'lost-answer': it is recorded, but who asked does not hear of it. */
type Fault = 'none' | 'refused' | 'lost-answer'
type Action =
  | { readonly kind: 'send'; readonly to: readonly number[] }
  | { readonly kind: 'project-inbox' | 'project-ledger'; readonly events: number }
  | { readonly kind: 'seen'; readonly user: number; readonly seq: number }
  | { readonly kind: 'read'; readonly user: number }
  | { readonly kind: 'flush'; readonly fault: Fault }
  | { readonly kind: 'round'; readonly fault: Fault; readonly answers: readonly PushOutcome[] }
  | { readonly kind: 'later'; readonly byMs: number }
  | { readonly kind: 'crash' }

const index = fc.nat({ max: users.length - 1 })
const fault = fc.constantFrom<Fault>('none', 'none', 'refused', 'lost-answer')
const answer = fc.constantFrom<PushOutcome>(
  { kind: 'accepted' },
  { kind: 'unregistered' },
  { kind: 'failed', reason: 'quota' },
)
const answers = fc.array(answer, { minLength: 1, maxLength: 5 })
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    to: fc.uniqueArray(index, { minLength: 1, maxLength: users.length }),
  }),
  fc.record({ kind: fc.constantFrom('project-inbox', 'project-ledger'), events: fc.nat({ max: 6 }) }),
  fc.record({ kind: fc.constant('seen' as const), user: index, seq: fc.nat({ max: 8 }) }),
  fc.record({ kind: fc.constant('read' as const), user: index }),
  fc.record({ kind: fc.constant('flush' as const), fault }),
  fc.record({ kind: fc.constant('round' as const), fault, answers }),
  fc.record({ kind: fc.constant('later' as const), byMs: fc.integer({ min: 1_000, max: 10_000 }) }),
  fc.constant({ kind: 'crash' as const }),
)

const createWorld = () => {
  const log = createMemoryLog()
  const inboxes = createProjectedLog(inboxProjection, log)
  const ledger = createProjectedLog(ledgerProjection, log)
  const texts = createTexts(inboxes.readModel)
  const open = createOpenDeliveries(ledger.readModel, graceMs)
  const inbox = createInboxReader(inboxes.readModel, texts)
  let sends = 0
  let nowMs = Date.UTC(2026, 0, 1)
  let crashes = 0
  let append: Fault = 'none'
  let pushAnswers: readonly PushOutcome[] = [{ kind: 'accepted' }]
  const pushes = new Map<string, number>()
  const states = new Map<string, OutcomeState>()

  const eventStore: Pick<EventStore, 'append'> = {
    append: async (stream, _expected, events) => {
      if (append === 'refused') throw new Error('the store is away')
      const appended = log.append(stream, ...events)
      if (append === 'lost-answer') throw new Error('the connection broke')
      return appended
    },
  }

  const stateOf = async (userId: UserId, notificationId: NotificationId): Promise<OutcomeState | undefined> => {
    const document = await inboxes.readModel.get(recipientsRef(bucketKey(userId), notificationId))
    return recipientsOf(document).settled.find(({ userIds }) => userIds.includes(userId))?.state
  }

  const startWorker = () => {
    const seenWindow = createSeenWindow({
      eventStore,
      readModel: inboxes.readModel,
      open,
      gatherMs: 1_000_000,
      logger,
    })
    const push: Pick<PushSender, 'send'> = {
      send: async (tokens, { notificationId }) => {
        for (const token of tokens)
          pushes.set(`${token} ${notificationId}`, (pushes.get(`${token} ${notificationId}`) ?? 0) + 1)
        return tokens.map((_, n): PushOutcome => pushAnswers[n % pushAnswers.length] ?? { kind: 'accepted' })
      },
    }
    const devices = {
      tokensOf: async (userIds: readonly UserId[]) =>
        userIds.flatMap((userId) => {
          const token = tokenOf(userId)
          return token === undefined ? [] : [{ userId, tokenIndex: token, token }]
        }),
      holders: async (userIds: readonly UserId[]) => new Set(userIds.filter((userId) => tokenOf(userId) !== undefined)),
      drop: async () => undefined,
    }
    const deliverDue = createDeliverDue({
      eventStore,
      readModel: inboxes.readModel,
      ledger: { get: ledger.readModel.get, whenApplied: async () => false },
      open,
      texts,
      devices,
      pushToUsers: createPushToUsers({ push, devices, retryPausesMs: [], logger }),
      seenUpTo: seenWindow.seenUpTo,
      learnSeen: async () => undefined,
      signal: new AbortController().signal,
    })
    return { seenWindow, deliverDue }
  }
  let worker = startWorker()

  const readNewest = async (userId: UserId): Promise<void> => {
    const [newest] = (await inbox.page(userId, { page: 1, limit: 1 })).notifications
    if (!newest || newest.isRead) return
    log.append(`inbox-${userId}`, { type: 'NotificationRead', data: { userId, notificationId: newest._id } })
  }

  /** The worker goes on after a failure as if nothing had been. */
  const tolerate = async (work: () => Promise<unknown>, withFault: Fault): Promise<void> => {
    append = withFault
    await work().catch((error: unknown) => {
      if (withFault === 'none') throw error
    })
    append = 'none'
  }

  return {
    inboxes,
    ledger,
    open,
    inbox,
    pushes,
    get crashes() {
      return crashes
    },
    notificationIds: () => Array.from({ length: sends }, (_, n) => notificationIdAt(n + 1)),
    stateOf,
    act: async (next: Action): Promise<void> => {
      switch (next.kind) {
        case 'send':
          sends += 1
          return recordSend(
            log,
            sends,
            next.to.map((n) => users[n] ?? userIdAt(0)),
          )
        case 'project-inbox':
          return inboxes.project(next.events)
        case 'project-ledger':
          return ledger.project(next.events)
        case 'seen':
          return worker.seenWindow.seen(users[next.user] ?? userIdAt(0), next.seq)
        case 'read':
          return readNewest(users[next.user] ?? userIdAt(0))
        case 'flush':
          return tolerate(worker.seenWindow.flush, next.fault)
        case 'round':
          pushAnswers = next.answers
          return tolerate(() => worker.deliverDue(nowMs), next.fault)
        case 'later':
          nowMs += next.byMs
          return undefined
        case 'crash':
          crashes += 1
          worker = startWorker()
      }
    },
    /** What is known of each recipient never changes again, and the sums are those of the recipients. */
    expectSound: async (): Promise<void> => {
      const ids = Array.from({ length: sends }, (_, n) => notificationIdAt(n + 1))
      const sums = await createCampaignProgress(inboxes.readModel).progressOf(ids)
      for (const [n, notificationId] of ids.entries()) {
        const counts = eachOutcome(() => 0)
        for (const userId of users) {
          const state = await stateOf(userId, notificationId)
          const before = states.get(`${userId} ${notificationId}`)
          if (before !== undefined) expect(state).toBe(before)
          if (state === undefined) continue
          states.set(`${userId} ${notificationId}`, state)
          counts[state] += 1
        }
        const sum = sums[n]
        if (!sum) continue
        expect(sum).toMatchObject(counts)
        expect(sum.pending).toBeGreaterThanOrEqual(0)
        const { pending, live, pushed, skipped, failed, cancelled } = sum
        expect(pending + live + pushed + skipped + failed + cancelled).toBe(sum.targeted)
      }
    },
    /** Time passes, nothing fails any more. */
    finish: async (): Promise<void> => {
      nowMs += 10_000_000
      for (let rounds = 0; rounds < 5; rounds++) {
        await inboxes.project()
        await ledger.project()
        await worker.deliverDue(nowMs)
      }
      await inboxes.project()
      await ledger.project()
    },
    close: async (): Promise<void> => {
      await Promise.all([inboxes.close(), ledger.close()])
    },
  }
}
type World = ReturnType<typeof createWorld>

const inWorld = (check: (world: World, actions: readonly Action[]) => Promise<void>) =>
  fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 40 }), async (actions) => {
    const world = createWorld()
    try {
      await check(world, actions)
    } finally {
      await world.close()
    }
  })

/** Many orders take their time on a busy machine. */
const timeout = 60_000

describe('whatever is seen, pushed, refused and lost, with both projections behind or not', () => {
  it('the states add up at every moment, and no outcome ever changes', { timeout }, async () => {
    await fc.assert(
      inWorld(async ({ act, expectSound }, actions) => {
        for (const next of actions) {
          await act(next)
          await expectSound()
        }
      }),
      { numRuns: 40 },
    )
  })

  it(
    'in the end everybody has an outcome, the ledger is empty, and a push is repeated only after a crash',
    { timeout },
    async () => {
      await fc.assert(
        inWorld(async (world, actions) => {
          for (const next of actions) await world.act(next)
          await world.finish()
          await world.expectSound()
          for (const userId of users) {
            for (const { _id } of (await world.inbox.page(userId, { page: 1, limit: 100 })).notifications) {
              const state = await world.stateOf(userId, _id)
              const pushed = world.pushes.get(`${tokenOf(userId)} ${_id}`) ?? 0
              expect(state).toBeDefined()
              expect(pushed).toBeLessThanOrEqual(1 + world.crashes)
              expect(pushed).toBeGreaterThanOrEqual(state === 'pushed' ? 1 : 0)
            }
            expect(await world.open.ofBucket(bucketKey(userId))).toEqual([])
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it('nobody is pushed what a tab has reported as shown before', { timeout }, async () => {
    await fc.assert(
      inWorld(async ({ act, inboxes, ledger, inbox, pushes, stateOf }, actions) => {
        for (const next of actions) {
          if (next.kind !== 'crash') await act(next)
        }
        await inboxes.project()
        await ledger.project()
        const before = new Map(pushes)
        const reported = users.slice(1, 3)
        for (const userId of reported) {
          const { seq } = await inbox.head(userId)
          await act({ kind: 'seen', user: users.indexOf(userId), seq })
        }
        await act({ kind: 'later', byMs: 10_000_000 })
        await act({ kind: 'round', fault: 'none', answers: [{ kind: 'accepted' }] })
        await inboxes.project()
        for (const userId of reported) {
          for (const { _id } of (await inbox.page(userId, { page: 1, limit: 100 })).notifications) {
            const key = `${tokenOf(userId)} ${_id}`
            expect(pushes.get(key)).toBe(before.get(key))
            const state = await stateOf(userId, _id)
            expect(before.has(key) || state === 'live').toBe(true)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
