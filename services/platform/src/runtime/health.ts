import type { Logger } from 'pino'
import { withDeadline } from './deadline.ts'

export type HealthPart = {
  readonly name: string
  /** Without it the portal cannot do its work; a part that is not critical only degrades it. */
  readonly isCritical: boolean
  /** Rejects when the part cannot serve. */
  check(): Promise<void>
}

export type HealthReport = {
  readonly status: 'ok' | 'degraded' | 'down'
  readonly parts: Readonly<Record<string, 'ok' | 'down'>>
}

export type Health = { report(): Promise<HealthReport> }

/** Asks every part, each within the deadline. What is wrong with one goes to the log, not to the caller. */
export const makeHealth = (
  parts: readonly HealthPart[],
  logger: Pick<Logger, 'info' | 'warn'>,
  deadlineMs = 2_000,
): Health => {
  const probes = parts.map((part) => probe(part, logger, deadlineMs))
  return {
    report: async () => {
      const states = await Promise.all(probes.map((ask) => ask()))
      const isDown = (isCritical: boolean) =>
        parts.some((part, i) => part.isCritical === isCritical && states[i] === 'down')
      return {
        status: isDown(true) ? 'down' : isDown(false) ? 'degraded' : 'ok',
        parts: Object.fromEntries(parts.map(({ name }, i) => [name, states[i] ?? 'down'])),
      }
    },
  }
}

const probe = (part: HealthPart, logger: Pick<Logger, 'info' | 'warn'>, deadlineMs: number) => {
  let underWay: Promise<void> | undefined
  let last: 'ok' | 'down' = 'ok'

  /** A check that hangs is not started again: callers wait for the one under way. */
  const check = (): Promise<void> => {
    underWay ??= part.check().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return async (): Promise<'ok' | 'down'> => {
    const before = last
    try {
      await withDeadline(check(), deadlineMs, `checking ${part.name}`)
      last = 'ok'
      if (before === 'down') logger.info({ part: part.name }, 'a part serves again')
    } catch (err) {
      last = 'down'
      if (before === 'ok') logger.warn({ err, part: part.name }, 'a part does not serve')
    }
    return last
  }
}
