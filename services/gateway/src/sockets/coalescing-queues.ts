import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'

/** Maximum number of concurrent reads over a network. */
const concurrency = 32

/**
 * Runs `work` for each added item, in order. An item that is added several times before its turn runs once, and
 * never concurrently with itself, because batches run one after another. Yields to projections and requests on the
 * same event loop.
 */
export const createCoalescingQueue = <Item>(work: (item: Item) => Promise<void>) => {
  let ready = new Set<Item>()
  let draining: Promise<void> | undefined

  /** Removes the items before work starts: anything added after that belongs to a later batch. */
  const takeBatch = (): readonly Item[] => {
    const batch: Item[] = []
    for (const item of ready) {
      if (batch.length === concurrency) break
      batch.push(item)
    }
    for (const item of batch) ready.delete(item)
    return batch
  }

  const runBatch = async (): Promise<void> => {
    const running: Promise<void>[] = []
    for (const item of takeBatch()) {
      await yieldToEventLoop()
      running.push(work(item))
    }
    await Promise.all(running)
  }

  const drain = async (): Promise<void> => {
    while (ready.size > 0) await runBatch()
  }

  const start = (): void => {
    draining ??= drain().finally(() => {
      draining = undefined
      // Items added while the promise was settling.
      if (ready.size > 0) start()
    })
  }

  return {
    add: (item: Item): void => {
      ready.add(item)
      start()
    },
    /** Drops queued items. Resolves when the running batch is done. */
    stop: async (): Promise<void> => {
      ready = new Set()
      await draining
    },
  }
}

type Bucket<Item> = {
  /** The position of the bucket's last message, and the last position known to be applied. */
  latest: string
  applied: string
  waiting: Set<Item>
  isRunning: boolean
}

type BucketQueuesDeps<Item> = {
  /** Resolves with false if the sockets stop first. */
  waitUntilApplied(bucket: string, position: string): Promise<boolean>
  onApplied(item: Item): void
  readonly stopping: AbortSignal
}

/** Queues items per bucket until the projection has applied all messages of the bucket seen so far. */
export const createBucketQueues = <Item>({ waitUntilApplied, onApplied, stopping }: BucketQueuesDeps<Item>) => {
  const buckets = new Map<string, Bucket<Item>>()

  const bucketNamed = (name: string): Bucket<Item> => {
    const known = buckets.get(name)
    if (known) return known
    const bucket: Bucket<Item> = { latest: '', applied: '', waiting: new Set(), isRunning: false }
    buckets.set(name, bucket)
    return bucket
  }

  const run = async (name: string, bucket: Bucket<Item>): Promise<void> => {
    while (bucket.waiting.size > 0) {
      const items = bucket.waiting
      bucket.waiting = new Set()
      const target = bucket.latest
      // Not "greater": in an older log, which replaced this one, later messages have lower positions.
      if (target !== bucket.applied) {
        if (!(await waitUntilApplied(name, target))) return
        bucket.applied = target
      }
      for (const item of items) onApplied(item)
    }
  }

  const start = (name: string, bucket: Bucket<Item>): void => {
    if (bucket.isRunning || bucket.waiting.size === 0) return
    bucket.isRunning = true
    void run(name, bucket).finally(() => {
      bucket.isRunning = false
      if (!stopping.aborted) start(name, bucket)
    })
  }

  return {
    /** `position` is a message's position in the bucket. It also applies to items that are added later. */
    add: (name: string, items: Iterable<Item>, position = ''): void => {
      const bucket = bucketNamed(name)
      if (position !== '') bucket.latest = position
      for (const item of items) bucket.waiting.add(item)
      start(name, bucket)
    },
  }
}
