/** The batches that are still being handled of partitions that were taken away, whatever became of these since. */
export type UnderWay = {
  add(busPartition: string, done: Promise<void>): void
  /** Resolves when nothing of the partition is being handled any more. */
  endOf(busPartition: string): Promise<void>
  endOfAll(): Promise<void>
}

export const createUnderWay = (): UnderWay => {
  const ends = new Map<string, Promise<void>>()

  const endOf = async (busPartition: string) => {
    await ends.get(busPartition)
  }

  return {
    add(busPartition, done) {
      const end = Promise.all([ends.get(busPartition), done]).then(() => {
        if (ends.get(busPartition) === end) ends.delete(busPartition)
      })
      ends.set(busPartition, end)
    },
    endOf,
    async endOfAll() {
      await Promise.all(ends.values())
    },
  }
}
