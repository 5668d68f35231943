import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many are worked on between two turns of the event loop, so that requests are served in between. */
const sliceSize = 32

/**
 * Runs `work` for everything that was added, in order, each item once however often it was added meanwhile, and never the
 * same item twice at a time: slices run one after another.
 */
export const createReadyQueue = <Item>(work: (item: Item) => Promise<void>) => {
  let ready = new Set<Item>()
  let draining: Promise<void> | undefined

  const takeSlice = (): readonly Item[] => {
    const slice: Item[] = []
    for (const item of ready) {
      if (slice.length === sliceSize) break
      slice.push(item)
    }
    for (const item of slice) ready.delete(item)
    return slice
  }

  const drain = async (): Promise<void> => {
    while (ready.size > 0) {
      await Promise.all(takeSlice().map(work))
      if (ready.size > 0) await nextTurn()
    }
  }

  const start = (): void => {
    draining ??= drain().finally(() => {
      draining = undefined
      // What was added after the last look, while the promise was settling.
      if (ready.size > 0) start()
    })
  }

  return {
    add: (item: Item): void => {
      ready.add(item)
      start()
    },
    /** Forgets what waits and resolves when the slice under way is done. */
    stop: async (): Promise<void> => {
      ready = new Set()
      await draining
    },
  }
}
