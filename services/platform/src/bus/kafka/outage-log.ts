import type { Logger } from 'pino'

/** Shorter outages are not logged, such as a starting broker or a change of partition leader. */
const minOutageMs = 3_000

type OutageLog = {
  /** May be called repeatedly during an outage. */
  began(error: unknown): void
  ended(): void
}

type OutageMessages = { readonly began: string; readonly ended: string }

/** Logs one line with the first error if an outage lasts, and one line when it ends. */
export const createOutageLog = (
  logger: Logger,
  fields: Readonly<Record<string, string>>,
  messages: OutageMessages,
): OutageLog => {
  let outage: { readonly sinceMs: number; readonly timer: NodeJS.Timeout; isLogged: boolean } | undefined

  return {
    began(error) {
      if (outage !== undefined) return
      const logOutage = () => {
        if (outage !== undefined) outage.isLogged = true
        logger.warn({ err: error, ...fields }, messages.began)
      }
      outage = { sinceMs: performance.now(), timer: setTimeout(logOutage, minOutageMs).unref(), isLogged: false }
    },
    ended() {
      if (outage === undefined) return
      clearTimeout(outage.timer)
      const seconds = Math.round((performance.now() - outage.sinceMs) / 1_000)
      if (outage.isLogged) logger.info({ ...fields, seconds }, messages.ended)
      outage = undefined
    },
  }
}
