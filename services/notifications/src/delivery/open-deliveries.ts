import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { breathe } from '@portal/platform/bus/time-slice'
import type { ReadModel } from '@portal/platform/read-model/port'
import { type OpenDelivery, readOpen } from './ledger-projection.ts'

type DueDeliveries = {
  readonly due: readonly OpenDelivery[]
  /** When the next one will be due, as far as known. */
  readonly nextDueAtMs: number | undefined
}

export const createOpenDeliveries = (ledger: Pick<ReadModel, 'range'>, graceMs: number) => {
  const dueAtMs = ({ sentAt }: Pick<OpenDelivery, 'sentAt'>): number => Date.parse(sentAt) + graceMs

  return {
    /** The oldest first. */
    ofBucket: (bucket: string): Promise<readonly OpenDelivery[]> => readOpen(ledger, bucket),
    dueAtMs,
    due: async (nowMs: number): Promise<DueDeliveries> => {
      const due: OpenDelivery[] = []
      let nextDueAtMs: number | undefined
      for (const bucket of allBucketKeys) {
        for (const open of await readOpen(ledger, bucket)) {
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
