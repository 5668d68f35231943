/** The keys that were noted last, in memory: a restart forgets them, and each process of several notes its own. */
export const createRecentKeys = (most: number) => {
  /** Oldest first. */
  const keys = new Set<string>()
  return {
    has: (key: string): boolean => keys.has(key),
    note: (key: string): void => {
      keys.delete(key)
      keys.add(key)
      const [oldest] = keys
      if (keys.size > most && oldest !== undefined) keys.delete(oldest)
    },
  }
}
export type RecentKeys = ReturnType<typeof createRecentKeys>
