/** A batch that has not been tried again for so long went to another process with its partition. */
const retriedWithinMs = 60_000

type Batch = { readonly recordedAtMs: number; rejectedAtMs: number | undefined }

/** What a consumer has been given and has not handled yet, per bus partition: how far it is behind, seen from inside. */
export const createInFlightAge = (nowMs: () => number = () => Date.now()) => {
  const batches = new Map<string, Batch>()

  const isHere = ({ rejectedAtMs }: Batch): boolean =>
    rejectedAtMs === undefined || nowMs() - rejectedAtMs < retriedWithinMs

  return {
    /** `recordedAtMs` of the oldest message of the batch. */
    taken: (busPartition: string, recordedAtMs: number): void => {
      batches.set(busPartition, { recordedAtMs, rejectedAtMs: undefined })
    },
    /** It will come again, here or elsewhere. */
    rejected: (busPartition: string): void => {
      const batch = batches.get(busPartition)
      if (batch) batch.rejectedAtMs = nowMs()
    },
    done: (busPartition: string): void => void batches.delete(busPartition),
    /** Since the oldest of it was recorded; 0 when there is nothing in hand. */
    oldestMs: (): number => {
      const here = [...batches.values()].filter(isHere)
      return here.reduce((oldest, { recordedAtMs }) => Math.max(oldest, nowMs() - recordedAtMs), 0)
    },
  }
}
