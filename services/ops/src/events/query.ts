import { maxReasonChars } from '@portal/platform/operations/operation'
import { CommandError } from '../command.ts'
import { type Environment, isOn } from '../output/print.ts'
import { momentFrom } from '../output/format.ts'

const maxEvents = 1_000
const defaultLimit = '50'

export type EventsQuery = {
  readonly stream?: string
  readonly category?: string
  readonly types?: ReadonlySet<string>
  /** A position: events after it, oldest first. Without it, the newest events. */
  readonly after?: string
  readonly since?: Date
  readonly limit: number
  /** The reason to show personal data; if absent, it is masked. */
  readonly unmaskReason?: string
  /** The operator's input, for the recorded operation. */
  readonly asked: Readonly<Record<string, string>>
}

const names = ['STREAM', 'CATEGORY', 'TYPE', 'AFTER', 'SINCE', 'LIMIT'] as const

const limitOf = (text: string): number => {
  const limit = Number(text)
  if (/^\d{1,9}$/.test(text) && limit >= 1 && limit <= maxEvents) return limit
  throw new CommandError(`LIMIT must be a whole number from 1 to ${maxEvents}, not "${text}"`)
}

const sinceOf = (text: string, now: Date): Date => {
  const since = momentFrom(text, now)
  if (since) return since
  throw new CommandError(
    `SINCE must be a time such as 2026-11-21T14:00:00Z, or a duration such as 10m, 2h or 3d, not "${text}"`,
  )
}

const reasonOf = (environment: Environment): string => {
  const reason = (environment['REASON'] ?? '').trim()
  if (reason === '') throw new CommandError("UNMASK=1 needs REASON='…', because access to personal data is recorded")
  if (reason.length > maxReasonChars) throw new CommandError(`REASON must have at most ${maxReasonChars} characters`)
  return reason
}

/** Parses and validates the settings of `make events`. */
export const eventsQueryOf = (environment: Environment, now: Date): EventsQuery => {
  const asked = Object.fromEntries(
    names.flatMap((name) => (environment[name] ? [[name.toLowerCase(), environment[name]]] : [])),
  )
  const { stream, category, type, after, since, limit = defaultLimit } = asked
  if (stream !== undefined && category !== undefined) throw new CommandError('STREAM and CATEGORY exclude each other')
  return {
    ...(stream !== undefined && { stream }),
    ...(category !== undefined && { category }),
    ...(type !== undefined && { types: new Set(type.split(',')) }),
    ...(after !== undefined && { after }),
    ...(since !== undefined && { since: sinceOf(since, now) }),
    limit: limitOf(limit),
    ...(isOn(environment, 'UNMASK') && { unmaskReason: reasonOf(environment) }),
    asked,
  }
}
