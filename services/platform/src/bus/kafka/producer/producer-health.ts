import type { Logger } from 'pino'
import { createOutageLog } from '../outage-log.ts'

/** A request that takes longer counts as an outage even if it has not failed yet. */
const maxRequestMs = 2_500

export type ProducerHealth = {
  failed(error: unknown): void
  recovered(): void
  /** Returns the outcome of the request. A request that takes too long counts as an outage; a successful one ends it. */
  watch<T>(request: Promise<T>): Promise<T>
  /** Throws during an outage. */
  check(): void
}

export const createProducerHealth = (publisher: string, logger: Logger): ProducerHealth => {
  let outage: { readonly error: unknown } | undefined
  const log = createOutageLog(
    logger,
    { feed: publisher },
    { began: 'log publisher cannot publish to kafka, retrying', ended: 'log publisher publishes again' },
  )

  const failed = (error: unknown) => {
    outage ??= { error }
    log.began(error)
  }
  const recovered = () => {
    outage = undefined
    log.ended()
  }

  return {
    failed,
    recovered,
    async watch(request) {
      const onSlow = () => failed(new Error(`Kafka has not answered for ${maxRequestMs / 1_000} s`))
      const timer = setTimeout(onSlow, maxRequestMs)
      try {
        const result = await request
        recovered()
        return result
      } finally {
        clearTimeout(timer)
      }
    },
    check() {
      if (outage !== undefined)
        throw new Error(`Log publisher ${publisher} cannot publish to Kafka`, { cause: outage.error })
    },
  }
}
