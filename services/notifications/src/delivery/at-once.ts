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
