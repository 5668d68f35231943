let last: Promise<unknown> = Promise.resolve()

const inThisTab = <T>(action: () => Promise<T>): Promise<T> => {
  const mine = last.then(action)
  last = mine.catch(() => undefined)
  return mine
}

/**
 * Tabs share one token and one subscription: of several that start, or end, at once, one after the other acts. Older browsers
 * keep order within a tab only.
 */
export const oneAtATime = async <T>(action: () => Promise<T>): Promise<T> => {
  const { locks }: { readonly locks?: LockManager | null } = navigator
  return locks ? locks.request('push-token', action) : inThisTab(action)
}
