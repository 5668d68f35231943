export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Does what concerns one key one after the other, and different keys at the same time. Commands of one stream that wait for
 * their turn do not clash, however many come at once; between processes the expected revision decides as ever. As many
 * wait as there are requests under way.
 */
export const createInTurn = (): InTurn => {
  const last = new Map<string, Promise<void>>()
  return async (key, work) => {
    const before = last.get(key)
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    last.set(key, done)
    await before
    try {
      return await work()
    } finally {
      finish()
      if (last.get(key) === done) last.delete(key)
    }
  }
}
