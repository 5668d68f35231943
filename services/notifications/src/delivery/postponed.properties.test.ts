import { defaultPreferences, type Preferences } from '@portal/contracts/notifications/preferences'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PushOutcome } from '@portal/platform/outbound/port'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDeliveryWorld, type Fault } from '@portal/notifications/testing/delivery-world'
import { notificationIdAt, someText, userIdAt } from '@portal/notifications/testing/samples'
import { quietUntil } from '../preferences/quiet-hours.ts'
import { readPostponed } from './postponed-users.ts'
import { pushWindow } from './recent-pushes.ts'

const users: readonly UserId[] = [1, 2, 3].map(userIdAt)
const userOf = new Map(users.map((userId) => [`token ${userId}`, userId]))
const minuteMs = 60_000
const dayMs = 86_400_000
/** The world begins at midnight UTC. */
const choices: readonly Preferences[] = [
  defaultPreferences,
  { ...defaultPreferences, quietHours: { from: '23:30', to: '07:00', timeZone: 'UTC' } },
  { ...defaultPreferences, quietHours: { from: '00:10', to: '00:40', timeZone: 'UTC' } },
  { ...defaultPreferences, push: { ...defaultPreferences.push, General: false } },
]

type Action =
  | { readonly kind: 'send'; readonly to: readonly number[]; readonly times: number }
  | { readonly kind: 'prefer'; readonly user: number; readonly choice: number }
  | { readonly kind: 'seen' | 'read' | 'deactivate' | 'reactivate'; readonly user: number }
  | { readonly kind: 'project' | 'crash' }
  | { readonly kind: 'round'; readonly fault: Fault; readonly answer: PushOutcome }
  | { readonly kind: 'later'; readonly byMs: number }
  | { readonly kind: 'set-clock'; readonly byMs: number }
  | { readonly kind: 'cancel' | 'recall'; readonly campaign: number }

const user = fc.nat({ max: users.length - 1 })
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    to: fc.uniqueArray(user, { minLength: 1, maxLength: users.length }),
    times: fc.constantFrom(1, 1, 2, 7),
  }),
  fc.record({ kind: fc.constant('prefer' as const), user, choice: fc.nat({ max: choices.length - 1 }) }),
  fc.record({ kind: fc.constantFrom('seen', 'read', 'deactivate', 'reactivate'), user }),
  fc.record({ kind: fc.constantFrom('project', 'project', 'crash') }),
  fc.record({
    kind: fc.constant('round' as const),
    fault: fc.constantFrom<Fault>('none', 'none', 'none', 'refused', 'read-only', 'lost-answer'),
    answer: fc.constantFrom<PushOutcome>(
      { kind: 'accepted' },
      { kind: 'accepted' },
      { kind: 'unavailable', reason: 'busy' },
      { kind: 'failed', reason: 'quota' },
    ),
  }),
  fc.record({
    kind: fc.constant('later' as const),
    byMs: fc.constantFrom(10_000, minuteMs, 10 * minuteMs, 45 * minuteMs, 420 * minuteMs),
  }),
  fc.record({ kind: fc.constant('set-clock' as const), byMs: fc.constantFrom(-dayMs, dayMs) }),
  fc.record({ kind: fc.constantFrom('cancel', 'recall'), campaign: fc.nat({ max: 5 }) }),
)

const createPreferringWorld = () => {
  const preferences = new Map<UserId, Preferences>()
  const world = createDeliveryWorld({ tokenOf: (userId) => `token ${userId}`, preferences })
  let sends = 0
  let isClockSet = false
  let answer: PushOutcome = { kind: 'accepted' }
  /** The titles that each tag of a device has carried. */
  const shown = new Map<UserId, Map<string, Set<string>>>(users.map((userId) => [userId, new Map()]))
  const shownAtMs = new Map<UserId, number[]>(users.map((userId) => [userId, []]))
  const broken: string[] = []
  /** By user, as far as it is projected. */
  const deactivations = { recorded: new Set<UserId>(), projected: new Set<UserId>() }
  const userAt = (n: number): UserId => users[n] ?? userIdAt(0)

  world.answerPushes(async (tokens, { notificationId, title, body }) => {
    for (const token of tokens) {
      const userId = userOf.get(token) ?? userIdAt(0)
      const { push, quietHours } = preferences.get(userId) ?? defaultPreferences
      if (deactivations.projected.has(userId)) broken.push('pushed although deactivated')
      if (!push.General) broken.push('pushed although turned off')
      if (quietHours && quietUntil(quietHours, world.now())) broken.push('pushed in quiet hours')
      if (answer.kind !== 'accepted') continue
      const tags = shown.get(userId)
      if (!tags?.has(notificationId)) shownAtMs.get(userId)?.push(world.now().getTime())
      // A device that still shows the tag ignores a repetition.
      if (!tags?.has(notificationId))
        tags?.set(notificationId, new Set(body.includes('Title') ? body.split('\n') : [title]))
    }
    return tokens.map(() => answer)
  })

  const readNewest = async (userId: UserId): Promise<void> => {
    const [newest] = (await world.inbox.page(userId, { page: 1, limit: 1 })).notifications
    if (newest && !newest.isRead)
      world.log.append(`inbox-${userId}`, { type: 'NotificationRead', data: { userId, notificationId: newest._id } })
  }
  const project = async (): Promise<void> => {
    await world.inboxes.project()
    await world.projectPendingDeliveries()
    deactivations.projected = new Set(deactivations.recorded)
  }

  return {
    ...world,
    broken,
    shown,
    shownAtMs,
    project,
    crashes: () => world.crashes,
    isClockSet: () => isClockSet,
    campaigns: () => Array.from({ length: sends }, (_, n) => notificationIdAt(n + 1)),
    expectSound: () => world.expectSound(users, expect),
    act: async (next: Action): Promise<void> => {
      const campaign = 'campaign' in next ? notificationIdAt((next.campaign % Math.max(1, sends)) + 1) : undefined
      switch (next.kind) {
        case 'send':
          for (let n = 0; n < next.times; n++) world.send(...next.to.map(userAt))
          sends += next.times
          return
        case 'prefer': {
          const [userId, chosen] = [userAt(next.user), choices[next.choice] ?? defaultPreferences]
          preferences.set(userId, chosen)
          world.log.append(`preferences-${userId}`, {
            type: 'PreferencesChanged',
            data: { userId, preferences: chosen },
          })
          return
        }
        case 'seen':
          world.seenBatcher.seen(userAt(next.user), 2, world.inboxes.readModel.epoch)
          return world.flush()
        case 'read':
          return readNewest(userAt(next.user))
        case 'deactivate':
          deactivations.recorded.add(userAt(next.user))
          return world.deactivate(userAt(next.user))
        case 'reactivate':
          // A push is allowed as soon as it is recorded.
          for (const each of Object.values(deactivations)) each.delete(userAt(next.user))
          return world.reactivate(userAt(next.user))
        case 'project':
          return project()
        case 'crash':
          return world.restart()
        case 'round':
          answer = next.answer
          return world.deliver(next.fault)
        case 'later':
          return world.later(next.byMs)
        case 'set-clock':
          isClockSet = true
          return world.setClock('machine', next.byMs)
        case 'cancel':
          return sends > 0 && campaign ? world.cancel(campaign) : undefined
        case 'recall':
          return sends > 0 && campaign ? world.recall(campaign) : undefined
      }
    },
    /** A day passes without further failures. */
    finish: async (): Promise<void> => {
      answer = { kind: 'accepted' }
      for (let rounds = 0; rounds < 50; rounds++) {
        await project()
        await world.deliver()
        world.later(rounds < 20 ? minuteMs : 50 * minuteMs)
      }
      await project()
    },
  }
}

it(
  'every recipient gets one outcome and at most one push, none is pushed against their preferences or while deactivated, and the totals add up',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 30 }), async (actions) => {
        const world = createPreferringWorld()
        try {
          for (const next of actions) {
            await world.act(next)
            await world.expectSound()
          }
          await world.finish()
          await world.expectSound()
          expect(world.broken).toEqual([])
          for (const userId of users) {
            expect(await world.openOf(userId)).toEqual([])
            expect(await readPostponed(world.pendingDeliveries.readModel, bucketKey(userId), 0)).toEqual([])
            const tags = [...(world.shown.get(userId)?.values() ?? [])]
            for (const campaign of world.campaigns()) {
              const carried = tags.filter((titles) =>
                titles.has(someText(Number.parseInt(campaign.slice(-12), 16)).title),
              )
              expect(carried.length).toBeLessThanOrEqual(1 + world.crashes())
            }
            if (world.isClockSet() || world.crashes() > 0) continue
            const times = world.shownAtMs.get(userId) ?? []
            for (const [n, atMs] of times.entries())
              expect(atMs - (times[n - pushWindow.pushes] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(
                pushWindow.lengthMs,
              )
          }
        } finally {
          await world.close()
        }
      }),
      { numRuns: 25 },
    )
  },
)
