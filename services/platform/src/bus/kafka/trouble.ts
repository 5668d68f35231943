import type { Logger } from 'pino'

/** What takes longer than this counts as an outage, though it has not failed yet. */
const patienceMs = 5_000

/** One outage: a line when it begins, a line when it ends, and in between the reason. */
export type Trouble = {
  began(error: unknown): void
  ended(): void
  /** The outcome of the work; meanwhile an outage begins if it takes too long, and ends when it succeeds. */
  watch<T>(work: Promise<T>): Promise<T>
  /** Throws during an outage. */
  check(): void
}

export const createTrouble = (feed: string, logger: Logger): Trouble => {
  let outage: { readonly error: unknown; readonly sinceMs: number } | undefined

  const began = (error: unknown) => {
    if (outage !== undefined) return
    outage = { error, sinceMs: performance.now() }
    logger.warn({ err: error, feed }, 'The feed cannot publish; it will go on as soon as it can')
  }
  const ended = () => {
    if (outage === undefined) return
    const seconds = Math.round((performance.now() - outage.sinceMs) / 1_000)
    outage = undefined
    logger.info({ feed, seconds }, 'The feed publishes again')
  }

  return {
    began,
    ended,
    async watch(work) {
      const late = setTimeout(() => began(new Error(`Kafka has not answered for ${patienceMs / 1_000} s`)), patienceMs)
      try {
        const result = await work
        ended()
        return result
      } finally {
        clearTimeout(late)
      }
    },
    check() {
      if (outage !== undefined) throw new Error(`The feed ${feed} cannot publish`, { cause: outage.error })
    },
  }
}
