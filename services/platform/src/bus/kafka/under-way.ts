/** The batches that are still being handled of partitions that were taken away, whatever became of these since. */
export type UnderWay = {
  add(busPartition: string, done: Promise<void>): void
  /** Resolves when nothing of the partition is being handled any more. */
  endOf(busPartition: string): Promise<void>
  endOfAll(): Promise<void>
}

export const createUnderWay = (): UnderWay => {
  /** One for each partition there ever was. */
  const ends = new Map<string, Promise<unknown>>()
  return {
    add: (busPartition, done) => void ends.set(busPartition, Promise.all([ends.get(busPartition), done])),
    async endOf(busPartition) {
      await ends.get(busPartition)
    },
    async endOfAll() {
      await Promise.all(ends.values())
    },
  }
}
