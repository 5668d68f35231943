import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { breathe } from '@portal/platform/bus/time-slice'
import type { ReadModel } from '@portal/platform/read-model/port'
import { type OpenDelivery, openDeliveryOf, openList } from './ledger-projection.ts'

/** Sends of one bucket that are looked at in one go; what is behind them has its turn when these are settled. */
const atOnce = 200

export type DueDeliveries = {
  readonly due: readonly OpenDelivery[]
  /** When the next one will be due, as far as known. */
  readonly nextDueAtMs: number | undefined
}

export const createOpenDeliveries = (ledger: Pick<ReadModel, 'range'>, graceMs: number) => {
  /** The oldest first. */
  const ofBucket = async (bucket: string): Promise<readonly OpenDelivery[]> => {
    const entries = await ledger.range(bucket, openList, { order: 'ascending', limit: atOnce })
    return entries.map((entry) => openDeliveryOf(bucket, entry))
  }
  const dueAtMs = ({ sentAt }: Pick<OpenDelivery, 'sentAt'>): number => Date.parse(sentAt) + graceMs

  return {
    ofBucket,
    dueAtMs,
    due: async (nowMs: number): Promise<DueDeliveries> => {
      const due: OpenDelivery[] = []
      let nextDueAtMs: number | undefined
      for (const bucket of allBucketKeys) {
        for (const open of await ofBucket(bucket)) {
          const atMs = dueAtMs(open)
          if (atMs <= nowMs) due.push(open)
          else nextDueAtMs = Math.min(nextDueAtMs ?? atMs, atMs)
        }
        await breathe()
      }
      return { due, nextDueAtMs }
    },
  }
}
export type OpenDeliveries = ReturnType<typeof createOpenDeliveries>
