/** Opens a source, which ends when the signal aborts. */
export type OpenSource<T> = (signal: AbortSignal) => AsyncIterable<T>

/**
 * What a source has delivered while the taker was busy, as one batch; the first item of a quiet source goes on at once,
 * alone. Reads at most `most` items ahead. Leaving the loop early, or an error in it, aborts the source's signal.
 */
export async function* inBatches<T>(open: OpenSource<T>, most: number): AsyncGenerator<readonly T[], void, void> {
  const leaving = new AbortController()
  let arrived: T[] = []
  let outcome: { readonly error?: unknown } | undefined
  let wakeTaker = (): void => undefined
  let wakeReader = (): void => undefined

  const read = async () => {
    for await (const item of open(leaving.signal)) {
      arrived.push(item)
      wakeTaker()
      if (arrived.length >= most) await new Promise<void>((resolve) => (wakeReader = resolve))
      if (leaving.signal.aborted) return
    }
  }
  const finish = (result: { readonly error?: unknown }) => {
    outcome = result
    wakeTaker()
  }
  void read().then(
    () => finish({}),
    (error: unknown) => finish({ error }),
  )

  try {
    for (;;) {
      if (arrived.length > 0) {
        const batch = arrived
        arrived = []
        wakeReader()
        yield batch
      } else if (outcome === undefined) await new Promise<void>((resolve) => (wakeTaker = resolve))
      else if ('error' in outcome) throw outcome.error
      else return
    }
  } finally {
    leaving.abort()
    wakeReader()
  }
}
