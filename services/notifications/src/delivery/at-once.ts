/** Works on all items, so many at a time, in order. Rejects with the failures after all have had their turn. */
export const atOnce = async <Item>(
  limit: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = []
  const rest = items[Symbol.iterator]()
  const takeTurns = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, takeTurns))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed`)
}

/** Lets so many run at a time; the others wait for their turn. */
export const createTurnstile = (limit: number) => {
  let running = 0
  const waiting: (() => void)[] = []

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever is next takes the place over.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
