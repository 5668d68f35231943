/**
 * What a source has delivered while the taker was busy, as one batch; the first item of a quiet source goes on at once,
 * alone. Reads at most `most` items ahead. Whoever leaves early also ends the source (its signal).
 */
export async function* inBatches<T>(source: AsyncIterable<T>, most: number): AsyncGenerator<readonly T[], void, void> {
  let arrived: T[] = []
  let outcome: { readonly error?: unknown } | undefined
  let isAbandoned = false
  let wakeTaker = (): void => undefined
  let wakeReader = (): void => undefined

  const read = async () => {
    for await (const item of source) {
      arrived.push(item)
      wakeTaker()
      if (arrived.length >= most) await new Promise<void>((resolve) => (wakeReader = resolve))
      if (isAbandoned) return
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
    isAbandoned = true
    wakeReader()
  }
}
