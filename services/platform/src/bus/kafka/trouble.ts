import type { Logger } from 'pino'
import { createOutageLog } from './outage-log.ts'

/** What takes longer than this counts as an outage, though it has not failed yet. */
const patienceMs = 5_000

/** An outage, and its reason while it lasts. */
export type Trouble = {
  began(error: unknown): void
  ended(): void
  /** The outcome of the work; meanwhile an outage begins if it takes too long, and ends when it succeeds. */
  watch<T>(work: Promise<T>): Promise<T>
  /** Throws during an outage. */
  check(): void
}

export const createTrouble = (feed: string, logger: Logger): Trouble => {
  let outage: { readonly error: unknown } | undefined
  const log = createOutageLog(
    logger,
    { feed },
    { began: 'The feed cannot publish; it will go on as soon as it can', ended: 'The feed publishes again' },
  )

  const began = (error: unknown) => {
    outage ??= { error }
    log.began(error)
  }
  const ended = () => {
    outage = undefined
    log.ended()
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
