/** Runs work exclusively for its key. Work of different keys runs concurrently. */
type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** First come, first served for each key. Keys without pending work take no memory. */
export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<void>>()
  return async (key, work) => {
    const previous = last.get(key)
    const { promise: done, resolve: release } = Promise.withResolvers<void>()
    last.set(key, done)
    await previous
    try {
      return await work()
    } finally {
      release()
      if (last.get(key) === done) last.delete(key)
    }
  }
}
