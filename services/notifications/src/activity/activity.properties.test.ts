import { type ActivityDay, maxActivityDays } from '@portal/contracts/notifications/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ReadModel } from '@portal/platform/read-model/port'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inWorld, users, type World } from '@portal/notifications/testing/inbox-world'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import { itemList, itemOf } from '../read-model.ts'
import { createActivityReader } from './activity-reader.ts'
import { dateOf, dayAt } from './counts.ts'

/** Some sequences cover a week, with midnights in India and in UTC between events. */
const stepMs = 2.7 * 3_600_000
const today = new Date('2026-02-20T00:00:00.000Z')
/** Many sequences take long on a busy machine. */
const timeout = 60_000

const allDays = (readModel: ReadModel): Promise<ActivityDay[]> =>
  createActivityReader({ readModel, now: () => today, cacheMs: 0 })(maxActivityDays)

const sum = (days: readonly ActivityDay[], what: Exclude<keyof ActivityDay, 'date'>): number =>
  days.reduce((total, day) => total + (day[what] ?? 0), 0)

const itemsOf = ({ model }: World) => users.flatMap((userId) => model.inboxOf(userId).items)
/** Items that count as read only because they were withdrawn. */
const withdrawnUnread = async (readModel: ReadModel): Promise<number> => {
  const range = { order: 'ascending', limit: 1_000 } as const
  const lists = await Promise.all(users.map((userId) => readModel.range(bucketKey(userId), itemList(userId), range)))
  return lists.flat().filter(({ value }) => itemOf(value).wasUnread === true).length
}

const onDay = (date: string, at: string | null): boolean => at !== null && dateOf(dayAt(new Date(at))) === date

it(
  'counts each campaign, arrival and read once on its day, and each read for the day of its arrival',
  { timeout },
  async () => {
    await fc.assert(
      inWorld(async (world, actions) => {
        for (const next of actions) await world.act(next)
        await world.log.project()
        world.catchModelUp()
        const days = await allDays(world.log.readModel)
        const items = itemsOf(world)
        for (const { date, delivered, reads, arrivals, arrivalsRead } of days) {
          const arrived = items.filter(({ deliveredAt }) => onDay(date, deliveredAt))
          expect(arrivals).toBe(arrived.length)
          expect(arrivalsRead).toBe(arrived.filter(({ isCounted }) => isCounted).length)
          expect(reads).toBe(items.filter(({ readAt, isCounted }) => isCounted && onDay(date, readAt)).length)
          expect(delivered).toBe(items.filter(({ deliveredAt }) => onDay(date, deliveredAt)).length)
        }
        const progress = await world.progress.progressOf(
          Array.from({ length: world.sends() }, (_, n) => notificationIdAt(n + 1)),
        )
        expect(sum(days, 'sends')).toBe(world.sends())
        expect(sum(days, 'delivered')).toBe(items.length)
        expect(sum(days, 'reads')).toBe(items.filter(({ isCounted }) => isCounted).length)
        expect(sum(days, 'reads')).toBe(progress.reduce((total, one) => total + (one?.read ?? 0), 0))
      }, stepMs),
      { numRuns: 150 },
    )
  },
)

it('agrees with the inboxes at every moment, and so does a rebuild', { timeout }, async () => {
  await fc.assert(
    inWorld(async ({ act, log, inbox }, actions) => {
      for (const next of actions) {
        await act(next)
        const heads = await Promise.all(users.map((userId) => inbox.head(userId)))
        const read = heads.reduce((total, head) => total + head.total - head.unread, 0)
        const days = await allDays(log.readModel)
        const readByUsers = read - (await withdrawnUnread(log.readModel))
        expect(sum(days, 'reads')).toBe(readByUsers)
        expect(sum(days, 'arrivalsRead')).toBe(readByUsers)
        expect(sum(days, 'arrivals')).toBe(heads.reduce((total, head) => total + head.total, 0))
      }
      const rebuilt = await log.rebuilt()
      expect(await allDays(rebuilt)).toEqual(await allDays(log.readModel))
      await rebuilt.close()
    }, stepMs),
    { numRuns: 40 },
  )
})
