/**
 * Runs the work one call after the other. Calls during a run share the next one, because the current run may lack a
 * change that they have to see.
 */
export const shareNextRun = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const enqueue = (): Promise<T> => {
    const run = last.then(() => {
      next = undefined
      return work()
    })
    last = run.catch(() => undefined)
    return run
  }
  return () => (next ??= enqueue())
}
