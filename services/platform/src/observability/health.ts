import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { unreadableEventIn } from '../bus/unreadable-event.ts'
import type { Continuity } from '../discontinuity/continuity.ts'
import { DiscontinuityError } from '../discontinuity/discontinuity.ts'
import { isUserFacing } from '../errors/error-kinds.ts'

export type HealthPart = {
  readonly name: string
  /** Of the portal's data, not of this process: when it is down the process still takes requests. */
  readonly isOfData?: boolean
  /** Without it the portal cannot do its work; a part that is not critical only degrades it. */
  readonly isCritical: boolean
  /** Rejects when the part cannot serve. */
  check(): Promise<void>
}

export type HealthReport = {
  readonly status: 'ok' | 'degraded' | 'down'
  readonly parts: Readonly<Record<string, 'ok' | 'down'>>
  /** One line for each consumer that stands still until it is rebuilt, with the command that does it. */
  readonly discontinuities: readonly string[]
  /** One line for each event that a part cannot pass because only another release can read it. */
  readonly unreadableEvents: readonly string[]
}

type HealthOptions = {
  readonly deadlineMs?: number
  /** As known at the moment (discontinuity/continuity.ts). */
  readonly discontinuities?: () => readonly string[]
}

export type Health = {
  report(): Promise<HealthReport>
  /** Whether the process can take requests. A gap in the portal's data is no reason to take all processes away. */
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

/** Asks every part, each within the deadline. What is wrong with one goes to the log, not to the caller. */
export const makeHealth = (
  parts: readonly HealthPart[],
  logger: Pick<Logger, 'info' | 'warn'>,
  { deadlineMs = 2_000, discontinuities = () => [] }: HealthOptions = {},
): Health => {
  const probes = parts.map((part) => probe(part, logger, deadlineMs))
  const askAll = () => Promise.all(probes.map((ask) => ask()))
  return {
    isReady: async () => {
      const answers = await askAll()
      const serves = (answer: Answer | undefined) => answer?.state === 'ok' || isUnreadableEvent(answer?.error)
      return parts.every(({ isCritical, isOfData }, i) => !isCritical || isOfData || serves(answers[i]))
    },
    report: async () => {
      const answers = await askAll()
      const states = answers.map(({ state }) => state)
      const isDown = (isCritical: boolean) =>
        parts.some((part, i) => part.isCritical === isCritical && states[i] === 'down')
      return {
        status: isDown(true) ? 'down' : isDown(false) ? 'degraded' : 'ok',
        parts: Object.fromEntries(parts.map(({ name }, i) => [name, states[i] ?? 'down'])),
        discontinuities: discontinuities(),
        unreadableEvents: [...new Set(answers.flatMap(({ error }) => unreadableEventIn(error)?.message ?? []))],
      }
    },
  }
}

/** A line for people says it all. */
const reasonOf = (err: unknown): { readonly err: unknown } | { readonly reason: string } => {
  const line = isUserFacing(err) ? err : unreadableEventIn(err)
  return line === undefined ? { err } : { reason: line.message }
}

/** Stops the consumers of some topics and nothing else. */
const isUnreadableEvent = (error: unknown): boolean => unreadableEventIn(error) !== undefined

type Answer = { readonly state: 'ok' | 'down'; readonly error?: unknown }

const probe = (part: HealthPart, logger: Pick<Logger, 'info' | 'warn'>, deadlineMs: number) => {
  let underWay: Promise<void> | undefined
  let last: Answer = { state: 'ok' }

  /** A check that hangs is not started again: callers wait for the one under way. */
  const check = (): Promise<void> => {
    underWay ??= part.check().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return async (): Promise<Answer> => {
    const before = last.state
    try {
      await withTimeout(check(), deadlineMs, `checking ${part.name}`)
      last = { state: 'ok' }
      if (before === 'down') logger.info({ part: part.name }, 'a part serves again')
    } catch (err) {
      last = { state: 'down', error: err }
      if (before === 'ok') logger.warn({ ...reasonOf(err), part: part.name }, 'a part does not serve')
    }
    return last
  }
}
