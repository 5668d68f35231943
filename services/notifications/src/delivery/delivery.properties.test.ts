import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PushOutcome } from '@portal/platform/outbound/port'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDeliveryWorld, type Fault } from '@portal/notifications/testing/delivery-world'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'

const users: readonly UserId[] = [1, 2, 3, 4].map(userIdAt)
/** The first user has no device. */
const tokenOf = (userId: UserId): string | undefined => (userId === users[0] ? undefined : `token ${userId}`)
const graceMs = 5_000
const dayMs = 86_400_000

type Action =
  | { readonly kind: 'send'; readonly to: readonly number[] }
  | {
      readonly kind: 'project-inbox' | 'project-pending-deliveries' | 'rebuild-pending-deliveries'
      readonly events: number
    }
  | { readonly kind: 'set-clock'; readonly whose: 'machine' | 'store'; readonly byMs: number }
  | { readonly kind: 'seen'; readonly user: number; readonly seq: number }
  | { readonly kind: 'read'; readonly user: number }
  | { readonly kind: 'flush'; readonly fault: Fault }
  | { readonly kind: 'round'; readonly fault: Fault; readonly answers: readonly PushOutcome[] }
  | { readonly kind: 'later'; readonly byMs: number }
  | { readonly kind: 'cancel' | 'resend'; readonly campaign: number; readonly fault: Fault }
  | { readonly kind: 'recall'; readonly campaign: number }
  | { readonly kind: 'crash' }

const index = fc.nat({ max: users.length - 1 })
const fault = fc.constantFrom<Fault>('none', 'none', 'refused', 'read-only', 'lost-answer')
const answer = fc.constantFrom<PushOutcome>(
  { kind: 'accepted' },
  { kind: 'unregistered' },
  { kind: 'failed', reason: 'quota' },
  { kind: 'unavailable', reason: 'busy' },
)
const answers = fc.array(answer, { minLength: 1, maxLength: 5 })
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    to: fc.uniqueArray(index, { minLength: 1, maxLength: users.length }),
  }),
  fc.record({ kind: fc.constantFrom('project-inbox', 'project-pending-deliveries'), events: fc.nat({ max: 6 }) }),
  fc.record({ kind: fc.constant('seen' as const), user: index, seq: fc.nat({ max: 8 }) }),
  fc.record({ kind: fc.constant('read' as const), user: index }),
  fc.record({ kind: fc.constant('flush' as const), fault }),
  fc.record({ kind: fc.constant('round' as const), fault, answers }),
  fc.record({ kind: fc.constant('later' as const), byMs: fc.integer({ min: 1_000, max: 10_000 }) }),
  fc.record({ kind: fc.constant('rebuild-pending-deliveries' as const), events: fc.nat({ max: 12 }) }),
  fc.record({
    kind: fc.constant('set-clock' as const),
    whose: fc.constantFrom('machine', 'store'),
    byMs: fc.constantFrom(-dayMs, -60_000, 60_000, dayMs),
  }),
  fc.record({ kind: fc.constantFrom('cancel', 'resend', 'resend'), campaign: fc.nat({ max: 5 }), fault }),
  fc.record({ kind: fc.constant('recall' as const), campaign: fc.nat({ max: 5 }) }),
  fc.constant({ kind: 'crash' as const }),
)

const createWorld = () => {
  const world = createDeliveryWorld({ tokenOf, graceMs })
  let sends = 0
  const campaigns = () => Array.from({ length: sends }, (_, n) => notificationIdAt(n + 1))
  const userAt = (n: number): UserId => users[n] ?? userIdAt(0)

  const readNewest = async (userId: UserId): Promise<void> => {
    const [newest] = (await world.inbox.page(userId, { page: 1, limit: 1 })).notifications
    if (!newest || newest.isRead) return
    world.log.append(`inbox-${userId}`, { type: 'NotificationRead', data: { userId, notificationId: newest._id } })
  }

  return {
    ...world,
    crashes: () => world.crashes,
    campaigns,
    act: async (next: Action): Promise<void> => {
      switch (next.kind) {
        case 'send':
          sends += 1
          return void world.send(...next.to.map(userAt))
        case 'cancel':
        case 'resend': {
          const campaign = campaigns()[next.campaign % Math.max(1, sends)]
          return campaign && world[next.kind](campaign, next.fault)
        }
        case 'recall': {
          const campaign = campaigns()[next.campaign % Math.max(1, sends)]
          return campaign && world.recall(campaign)
        }
        case 'project-inbox':
          return world.inboxes.project(next.events)
        case 'project-pending-deliveries':
          return world.projectPendingDeliveries(next.events)
        case 'rebuild-pending-deliveries':
          return world.rebuildPendingDeliveries(next.events)
        case 'seen':
          return world.seenBatcher.seen(userAt(next.user), next.seq, world.inboxes.readModel.epoch)
        case 'read':
          return readNewest(userAt(next.user))
        case 'flush':
          return world.flush(next.fault)
        case 'round':
          world.answerPushes(async (tokens) =>
            tokens.map((_, n): PushOutcome => next.answers[n % next.answers.length] ?? { kind: 'accepted' }),
          )
          return world.deliver(next.fault)
        case 'later':
          return world.later(next.byMs)
        case 'set-clock':
          return world.setClock(next.whose, next.byMs)
        case 'crash':
          return world.restart()
      }
    },
    expectSound: () => world.expectSound(users, expect),
    /** Time passes without further failures. */
    finish: async (): Promise<void> => {
      world.answerPushes(async (tokens) => tokens.map(() => ({ kind: 'accepted' })))
      for (let rounds = 0; rounds < 6; rounds++) {
        world.later(120_000)
        await world.inboxes.project()
        await world.projectPendingDeliveries()
        await world.deliver()
      }
      await world.inboxes.project()
      await world.projectPendingDeliveries()
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

/** Many sequences take long on a busy machine. */
const timeout = 60_000

describe('deliveries under any mix of reports, pushes, rejections and losses, with projections behind or not', () => {
  it('keep totals consistent at every moment, and never change an outcome', { timeout }, async () => {
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
    'give everyone an outcome in the end, leave none pending, and push once per attempt unless a crash repeats it',
    { timeout },
    async () => {
      await fc.assert(
        inWorld(async (world, actions) => {
          for (const next of actions) await world.act(next)
          await world.finish()
          await world.expectSound()
          for (const userId of users) {
            for (const { _id } of (await world.inbox.page(userId, { page: 1, limit: 100 })).notifications) {
              const { state, attempt } = await world.statusOf(userId, _id)
              const pushed = world.pushes.get(`${tokenOf(userId)} ${_id}`) ?? 0
              expect(state).toBeDefined()
              expect(pushed).toBeLessThanOrEqual(attempt + world.crashes())
              expect(pushed).toBeGreaterThanOrEqual(state === 'pushed' ? 1 : 0)
            }
            expect(await world.openOf(userId)).toEqual([])
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it('are not pushed after a cancel, which claims no push that was made', { timeout }, async () => {
    await fc.assert(
      inWorld(async (world, actions) => {
        for (const next of actions) await world.act(next)
        await world.inboxes.project()
        await world.projectPendingDeliveries()
        for (const campaign of world.campaigns()) await world.cancel(campaign)
        await world.projectPendingDeliveries()
        const before = new Map(world.pushes)
        await world.finish()
        await world.expectSound()
        expect(world.pushes).toEqual(before)
        for (const campaign of world.campaigns()) {
          for (const userId of users) {
            const { state, attempt, reason } = await world.statusOf(userId, campaign)
            expect(await world.openOf(userId)).toEqual([])
            if (state !== 'cancelled' || world.crashes() > 0) continue
            expect([deliveryReasons.cancelledByAdmin, deliveryReasons.withdrawn]).toContain(reason)
            expect(world.pushes.get(`${tokenOf(userId)} ${campaign}`) ?? 0).toBeLessThan(attempt)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('are not pushed to a user whose tab has reported them', { timeout }, async () => {
    await fc.assert(
      inWorld(async ({ act, inboxes, projectPendingDeliveries, inbox, pushes, stateOf }, actions) => {
        for (const next of actions) {
          if (next.kind !== 'crash') await act(next)
        }
        await inboxes.project()
        await projectPendingDeliveries()
        const before = new Map(pushes)
        const settledBefore = new Set<string>()
        const reported = users.slice(1, 3)
        for (const userId of reported) {
          const { notifications, seq } = await inbox.page(userId, { page: 1, limit: 100 })
          for (const { _id } of notifications)
            if ((await stateOf(userId, _id)) !== undefined) settledBefore.add(`${tokenOf(userId)} ${_id}`)
          await act({ kind: 'seen', user: users.indexOf(userId), seq })
        }
        // With clock skew the grace period counts from the first read.
        await act({ kind: 'round', fault: 'none', answers: [{ kind: 'accepted' }] })
        await act({ kind: 'later', byMs: 10_000_000 })
        await act({ kind: 'round', fault: 'none', answers: [{ kind: 'accepted' }] })
        await inboxes.project()
        for (const userId of reported) {
          for (const { _id } of (await inbox.page(userId, { page: 1, limit: 100 })).notifications) {
            const key = `${tokenOf(userId)} ${_id}`
            expect(pushes.get(key)).toBe(before.get(key))
            const state = await stateOf(userId, _id)
            expect(before.has(key) || settledBefore.has(key) || state === 'live').toBe(true)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
