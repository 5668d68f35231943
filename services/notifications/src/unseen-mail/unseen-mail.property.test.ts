import { notificationTypes } from '@portal/contracts/notifications/notification'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { createUnseenMailWorld } from '@portal/notifications/testing/unseen-mail-world'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const userNumbers = [1, 2, 3]

type Action =
  | { readonly kind: 'send'; readonly to: readonly number[] }
  | { readonly kind: 'read'; readonly user: number; readonly nth: number }
  | { readonly kind: 'device' | 'opt-out'; readonly user: number }
  | { readonly kind: 'hours'; readonly count: number }
  | { readonly kind: 'mail' | 'log'; readonly isDown: boolean }
  | { readonly kind: 'clock'; readonly errorMs: number }
  | { readonly kind: 'crash' | 'restart' }

const user = fc.nat({ max: userNumbers.length - 1 })
const isDown = fc.boolean()
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('send' as const), to: fc.uniqueArray(user, { minLength: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), user, nth: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('device' as const, 'opt-out' as const), user }) },
  // Together less than what would make something too old for an e-mail.
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('hours' as const), count: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('mail' as const, 'log' as const), isDown }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), errorMs: fc.constantFrom(-dayMs, 0, dayMs) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'restart' as const) }) },
)

const createModel = () => {
  const world = createUnseenMailWorld({ afterMs: 4 * hourMs })
  const users = userNumbers.map((n) => world.register(n))
  const toldNothing = new Set<UserId>()
  /** After a crash before the record, they may not get the e-mail again. */
  const hasChanged = new Set<UserId>()
  const unread = new Map<UserId, Set<NotificationId>>(users.map((userId) => [userId, new Set()]))
  const addressOf = new Map(userNumbers.map((n, index) => [`learner${n}@example.com`, users[index]]))
  const userOf = (to: string): UserId | undefined => addressOf.get(to)
  let checked = 0

  /** Users with a device, those who opted out and those who have read everything get no e-mail. */
  const check = (): void => {
    for (const { to } of world.sent.slice(checked)) {
      const userId = userOf(to)
      expect(userId !== undefined && !toldNothing.has(userId) && (unread.get(userId)?.size ?? 0) > 0).toBe(true)
    }
    checked = world.sent.length
  }
  const hours = async (count: number): Promise<void> => {
    for (let hour = 0; hour < count; hour++) {
      world.later(hourMs)
      await world.round()
      check()
    }
  }
  const userAt = (index: number): UserId => {
    const userId = users[index]
    if (userId === undefined) throw new Error('no such user')
    return userId
  }

  return {
    world,
    users,
    userOf,
    toldNothing,
    hasChanged,
    unread,
    hours,
    act: async (next: Action, whose: 'machine' | 'store'): Promise<void> => {
      switch (next.kind) {
        case 'send': {
          const to = next.to.map(userAt)
          const id = world.send(to)
          for (const userId of to) unread.get(userId)?.add(id)
          return
        }
        case 'read': {
          const ids = unread.get(userAt(next.user))
          const id = [...(ids ?? [])][next.nth]
          if (id === undefined) return
          world.read(userAt(next.user), id)
          ids?.delete(id)
          hasChanged.add(userAt(next.user))
          return
        }
        case 'device':
        case 'opt-out':
          toldNothing.add(userAt(next.user))
          hasChanged.add(userAt(next.user))
          if (next.kind === 'device') return world.registerDevice(userAt(next.user))
          return world.optOut(userAt(next.user), ...notificationTypes)
        case 'hours':
          return hours(next.count)
        case 'mail':
          return world.setMailDown(next.isDown)
        case 'log':
          return world.setReadOnly(next.isDown)
        case 'clock':
          return world.setClock(whose, next.errorMs)
        case 'crash':
          // Something may have become due, which no round has sent.
          world.later(2 * hourMs)
          await world.crash()
          return check()
        case 'restart':
          return world.restart()
      }
    },
  }
}

it('everyone without a device is told once of what they do not read, whatever fails in between', async () => {
  const actions = fc.array(action, { maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(actions, fc.constantFrom('machine' as const, 'store' as const), async (taken, whose) => {
      const { world, users, userOf, toldNothing, hasChanged, unread, hours, act } = createModel()
      try {
        for (const next of taken) await act(next, whose)
        world.setMailDown(false)
        world.setReadOnly(false)
        world.setClock(whose, 0)
        await hours(24 * 6)

        const recorded = world.recorded()
        const toldTwice: string[] = []
        const missed: string[] = []
        const unrecorded: unknown[] = []
        for (const userId of users) {
          const told = recorded.filter((mail) => mail.userId === userId).flatMap((mail) => mail.notificationIds)
          toldTwice.push(...told.filter((id, index) => told.indexOf(id) !== index))
          const waiting = toldNothing.has(userId) ? [] : [...(unread.get(userId) ?? [])]
          const ids = recorded.map(({ id }) => id)
          if (!hasChanged.has(userId))
            unrecorded.push(...world.sent.filter(({ to, id = '' }) => userOf(to) === userId && !ids.includes(id)))
          missed.push(...waiting.filter((id) => !told.includes(id)))
        }
        const hasClockError = taken.some(({ kind }) => kind === 'clock')
        const tooEarly = world.sent.filter(({ to, id, atMs }) =>
          world.sent.some(
            (other) => other.to === to && other.id !== id && other.atMs < atMs && atMs - other.atMs < dayMs,
          ),
        )
        expect({ toldTwice, missed, unrecorded, tooEarly: hasClockError ? [] : tooEarly }).toEqual({
          toldTwice: [],
          missed: [],
          unrecorded: [],
          tooEarly: [],
        })
      } finally {
        await world.close()
      }
    }),
    { numRuns: 60 },
  )
}, 60_000)
