/** Opens a source that ends when the signal aborts. */
type OpenSource<T> = (signal: AbortSignal) => AsyncIterable<T>

/**
 * Batches what a source delivers while the caller is busy. The first item of a quiet source is delivered at once, alone. Reads
 * at most `maxSize` items ahead. Leaving the loop early, or an error in it, aborts the source's signal.
 */
export async function* batchIterable<T>(
  open: OpenSource<T>,
  maxSize: number,
): AsyncGenerator<readonly T[], void, void> {
  const leaving = new AbortController()
  let arrived: T[] = []
  let outcome: { readonly error?: unknown } | undefined
  let wakeConsumer = (): void => undefined
  let wakeReader = (): void => undefined

  const read = async () => {
    for await (const item of open(leaving.signal)) {
      arrived.push(item)
      wakeConsumer()
      if (arrived.length >= maxSize) await new Promise<void>((resolve) => (wakeReader = resolve))
      if (leaving.signal.aborted) return
    }
  }
  const finish = (result: { readonly error?: unknown }) => {
    outcome = result
    wakeConsumer()
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
      } else if (outcome === undefined) await new Promise<void>((resolve) => (wakeConsumer = resolve))
      else if ('error' in outcome) throw outcome.error
      else return
    }
  } finally {
    leaving.abort()
    wakeReader()
  }
}
