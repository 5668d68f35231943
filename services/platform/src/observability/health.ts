import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { unreadableEventIn } from '../bus/unreadable-event.ts'
import type { Continuity } from '../discontinuity/continuity.ts'
import { DiscontinuityError } from '../discontinuity/discontinuity.ts'
import { isUserFacing } from '../errors/error-kinds.ts'

export type HealthPart = {
  readonly name: string
  /** The part concerns the portal's data. When it is down, the process still takes requests. */
  readonly isOfData?: boolean
  /** The portal is down without it. Without a part that is not critical, it is degraded. */
  readonly isCritical: boolean
  /** Rejects when the part cannot serve. */
  check(): Promise<void>
}

export type HealthReport = {
  readonly status: 'ok' | 'degraded' | 'down'
  readonly parts: Readonly<Record<string, 'ok' | 'down'>>
  /** One line for each consumer that is halted until it is rebuilt, with the command to run. */
  readonly discontinuities: readonly string[]
  /** One line for each event that halts a part because only another release can read it. */
  readonly unreadableEvents: readonly string[]
  /** `part: reason` for each part that is down for a reason an operator can act on. Not for everyone: it may name files and hosts. */
  readonly reasons: readonly string[]
}

type HealthOptions = {
  readonly timeoutMs?: number
  /** The currently known ones (discontinuity/continuity.ts). */
  readonly discontinuities?: () => readonly string[]
}

export type Health = {
  report(): Promise<HealthReport>
  /** Whether the process can take requests. Missing data does not make a process unready, because that would stop all of them. */
  isReady(): Promise<boolean>
}

export const continuityPart = ({ open }: Pick<Continuity, 'open'>): HealthPart => ({
  name: 'continuity',
  isCritical: true,
  isOfData: true,
  check: async () => {
    const [first] = open()
    if (first !== undefined) throw new DiscontinuityError(first)
  },
})

/** Checks every part, each within the timeout. Errors that are not user-facing are logged only. */
export const makeHealth = (
  parts: readonly HealthPart[],
  logger: Pick<Logger, 'info' | 'warn'>,
  { timeoutMs = 2_000, discontinuities = () => [] }: HealthOptions = {},
): Health => {
  const probes = parts.map((part) => probe(part, logger, timeoutMs))
  const checkAll = () => Promise.all(probes.map((check) => check()))
  return {
    isReady: async () => {
      const results = await checkAll()
      const serves = (result: CheckResult | undefined) => result?.state === 'ok' || isUnreadableEvent(result?.error)
      return parts.every(({ isCritical, isOfData }, i) => !isCritical || isOfData || serves(results[i]))
    },
    report: async () => {
      const results = await checkAll()
      const states = results.map(({ state }) => state)
      const isDown = (isCritical: boolean) =>
        parts.some((part, i) => part.isCritical === isCritical && states[i] === 'down')
      return {
        status: isDown(true) ? 'down' : isDown(false) ? 'degraded' : 'ok',
        parts: Object.fromEntries(parts.map(({ name }, i) => [name, states[i] ?? 'down'])),
        discontinuities: discontinuities(),
        unreadableEvents: [...new Set(results.flatMap(({ error }) => unreadableEventIn(error)?.message ?? []))],
        reasons: results.flatMap(({ error }, i) =>
          isUserFacing(error) ? [`${parts[i]?.name}: ${error.message}`] : [],
        ),
      }
    },
  }
}

/** Logs only the message of a user-facing error, without its stack. */
const reasonOf = (err: unknown): { readonly err: unknown } | { readonly reason: string } => {
  const line = isUserFacing(err) ? err : unreadableEventIn(err)
  return line === undefined ? { err } : { reason: line.message }
}

/** An unreadable event halts the consumers of some topics only. */
const isUnreadableEvent = (error: unknown): boolean => unreadableEventIn(error) !== undefined

type CheckResult = { readonly state: 'ok' | 'down'; readonly error?: unknown }

const probe = (part: HealthPart, logger: Pick<Logger, 'info' | 'warn'>, timeoutMs: number) => {
  let running: Promise<void> | undefined
  let last: CheckResult = { state: 'ok' }

  /** A hanging check is not started twice: callers wait for the running one. */
  const check = (): Promise<void> => {
    running ??= part.check().finally(() => {
      running = undefined
    })
    return running
  }
  return async (): Promise<CheckResult> => {
    const before = last.state
    try {
      await withTimeout(check(), timeoutMs, `checking ${part.name}`)
      last = { state: 'ok' }
      if (before === 'down') logger.info({ part: part.name }, 'health part up again')
    } catch (err) {
      last = { state: 'down', error: err }
      if (before === 'ok') logger.warn({ ...reasonOf(err), part: part.name }, 'health part down')
    }
    return last
  }
}
