import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'

/** How many reads may be under way at once, where a read is a journey. */
const atOnce = 32

/**
 * Runs `work` for everything that was added, in order, each item once however often it was added meanwhile, and never the
 * same item twice at a time: slices run one after another. It shares the event loop with projections and requests.
 */
export const createReadyQueue = <Item>(work: (item: Item) => Promise<void>) => {
  let ready = new Set<Item>()
  let draining: Promise<void> | undefined

  /** Taken out before any of them is worked on: what is added from then on belongs to a later slice. */
  const takeSlice = (): readonly Item[] => {
    const slice: Item[] = []
    for (const item of ready) {
      if (slice.length === atOnce) break
      slice.push(item)
    }
    for (const item of slice) ready.delete(item)
    return slice
  }

  const runSlice = async (): Promise<void> => {
    const running: Promise<void>[] = []
    for (const item of takeSlice()) {
      await yieldToEventLoop()
      running.push(work(item))
    }
    await Promise.all(running)
  }

  const drain = async (): Promise<void> => {
    while (ready.size > 0) await runSlice()
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
