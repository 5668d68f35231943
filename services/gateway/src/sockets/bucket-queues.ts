type Bucket<Item> = {
  /** The position of the last message of this bucket on the bus, and how far the projection is known to be. */
  latest: string
  applied: string
  waiting: Set<Item>
  isRunning: boolean
}

type Deps<Item> = {
  /** Resolves with false if the sockets stop first. */
  untilApplied(bucket: string, position: string): Promise<boolean>
  onApplied(item: Item): void
  readonly stopping: AbortSignal
}

/** Holds back items of each bucket until the projection has applied all messages of the bucket that were seen by then. */
export const createBucketQueues = <Item>({ untilApplied, onApplied, stopping }: Deps<Item>) => {
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
      if (target > bucket.applied) {
        if (!(await untilApplied(name, target))) return
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
    /** `position` is that of a message of the bucket; it is kept also for items that are added later. */
    add: (name: string, items: Iterable<Item>, position = ''): void => {
      const bucket = bucketNamed(name)
      if (position > bucket.latest) bucket.latest = position
      for (const item of items) bucket.waiting.add(item)
      start(name, bucket)
    },
  }
}
