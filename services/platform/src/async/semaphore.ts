/** Runs work once a permit is free. */
type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `permits` pieces of work at a time; the others wait in order. */
export const createSemaphore = (permits: number): Semaphore => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= permits) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Pass the permit to the next piece of work, so that later ones cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Processes all items in order, at most `limit` at a time. Then rejects with an AggregateError if any failed. */
export const forEachConcurrently = async <Item>(
  limit: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = []
  const rest = items[Symbol.iterator]()
  const runWorker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, runWorker))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed`)
}
