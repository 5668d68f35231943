import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inWorld, type World } from '@portal/notifications/testing/inbox-world'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import { readTimeline } from './campaign-timeline.ts'
import { sentCampaignOf } from '../campaign/projection.ts'
import { campaignList, campaignPartition } from '../read-model.ts'

/** Many sequences take long on a busy machine. */
const timeout = 60_000
const minuteMs = 60_000
const stepMs = 7 * minuteMs

const timelineOf = async ({ log: { readModel } }: World, n: number) => {
  const entry = await readModel.entry(campaignPartition, campaignList, notificationIdAt(n))
  if (!entry) throw new Error(`campaign ${n} is not projected`)
  const sent = sentCampaignOf(entry.value)
  return { sentAt: Date.parse(sent.sentAt), ...(await readTimeline(readModel, notificationIdAt(n), sent)) }
}

const sum = (points: readonly { readonly delivered: number; readonly reads: number }[], of: 'delivered' | 'reads') =>
  points.reduce((total, point) => total + point[of], 0)

it('adds up to the progress, with the first hour by minute', { timeout }, async () => {
  await fc.assert(
    inWorld(async (world, actions) => {
      for (const next of actions) await world.act(next)
      await world.log.project()
      for (let n = 1; n <= world.sends(); n++) {
        const [progress] = await world.progress.progressOf([notificationIdAt(n)])
        const { sentAt, firstHour, byDay } = await timelineOf(world, n)
        expect(sum(byDay, 'delivered')).toBe((progress?.live ?? 0) + (progress?.pushed ?? 0))
        expect(sum(byDay, 'reads')).toBe(progress?.read)
        for (const { at } of firstHour) {
          expect(Date.parse(at)).toBeGreaterThan(sentAt - minuteMs)
          expect(Date.parse(at)).toBeLessThan(sentAt + 60 * minuteMs)
        }
        expect(firstHour.map(({ at }) => at)).toEqual(firstHour.map(({ at }) => at).toSorted())
      }
    }, stepMs),
    { numRuns: 80 },
  )
})
