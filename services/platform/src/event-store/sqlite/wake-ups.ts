/** Those who wait for the log to grow. */
export type WakeUps = {
  /** Resolves at the next `wakeAll`, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
  wakeAll(): void
}

export const wakeUps = (): WakeUps => {
  const sleepers = new Set<() => void>()
  return {
    next: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = (): void => {
          sleepers.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        sleepers.add(wake)
        signal.addEventListener('abort', wake)
      }),
    wakeAll: () => {
      for (const wake of sleepers) wake()
    },
  }
}
