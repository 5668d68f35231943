import type { Logger } from 'pino'

/** What passes sooner, as when Kafka has only just come up or a leader moves, is nobody's business. */
const worthALineMs = 3_000

export type OutageLog = {
  /** Again and again, while it lasts. */
  began(error: unknown): void
  ended(): void
}

export type OutageTexts = { readonly began: string; readonly ended: string }

/** A line when an outage has lasted, with its first reason, and a line when it is over. */
export const createOutageLog = (
  logger: Logger,
  fields: Readonly<Record<string, string>>,
  texts: OutageTexts,
): OutageLog => {
  let outage: { readonly sinceMs: number; readonly timer: NodeJS.Timeout; isSaid: boolean } | undefined

  return {
    began(error) {
      if (outage !== undefined) return
      const say = () => {
        if (outage !== undefined) outage.isSaid = true
        logger.warn({ err: error, ...fields }, texts.began)
      }
      outage = { sinceMs: performance.now(), timer: setTimeout(say, worthALineMs).unref(), isSaid: false }
    },
    ended() {
      if (outage === undefined) return
      clearTimeout(outage.timer)
      const seconds = Math.round((performance.now() - outage.sinceMs) / 1_000)
      if (outage.isSaid) logger.info({ ...fields, seconds }, texts.ended)
      outage = undefined
    },
  }
}
