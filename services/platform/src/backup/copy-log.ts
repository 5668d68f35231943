import { isDeepStrictEqual } from 'node:util'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'

type Log = Pick<EventStore, 'subscribe'>

/** The log that is copied into. */
export type CopyTarget = {
  /** What it holds so far. */
  readonly log: Log
  /** Records events of the source behind those it holds, in this order. They are durable once it resolves. */
  append(events: readonly RecordedEvent[]): Promise<void>
}

/** The target holds something else than the beginning of the source. */
export class CopyMismatchError extends Error {
  override readonly name = 'CopyMismatchError'
  readonly isUserFacing = true
}

/** What one append takes on. */
const batchLimits = { events: 256, jsonChars: 512 * 1024 } as const

export type CopyOptions = {
  readonly from: Log
  readonly to: CopyTarget
  readonly signal: AbortSignal
  /** After each batch. */
  onCopied?(events: number): Promise<void> | void
}

/** `events`: all that the target holds now; `compared`: so many of them it held before. */
type Copied = { readonly events: number; readonly compared: number }

/** Positions and times are the store's own; metadata gains the time of the event where the store cannot keep it. */
const isSame = (copy: RecordedEvent, event: RecordedEvent): boolean =>
  copy.id === event.id &&
  copy.stream === event.stream &&
  copy.revision === event.revision &&
  copy.type === event.type &&
  isDeepStrictEqual(copy.data, event.data)

const describe = ({ stream, revision }: RecordedEvent): string => `revision ${revision} of ${stream}`

const requireSame = (copy: RecordedEvent, event: RecordedEvent): void => {
  if (isSame(copy, event)) return
  throw new CopyMismatchError(
    `The target holds another log: it has ${describe(copy)} where the source has ${describe(event)}`,
  )
}

/** Gathers events up to the limits of a batch. */
const createBatch = (flush: (events: readonly RecordedEvent[]) => Promise<void>) => {
  let events: RecordedEvent[] = []
  let jsonChars = 0
  const empty = async (): Promise<void> => {
    const full = events
    if (full.length === 0) return
    events = []
    jsonChars = 0
    await flush(full)
  }
  return {
    empty,
    add: async (event: RecordedEvent): Promise<void> => {
      const chars = JSON.stringify(event.data).length
      if (jsonChars + chars > batchLimits.jsonChars) await empty()
      events.push(event)
      jsonChars += chars
      if (events.length >= batchLimits.events) await empty()
    },
  }
}

/**
 * Copies all events of a log into another store, in the order of the log, with their ids, types, data and revisions. A copy that was
 * interrupted goes on behind what the target holds, after comparing it with the source. Throws CopyMismatchError where the two differ.
 */
export const copyLog = async ({ from, to, signal, onCopied }: CopyOptions): Promise<Copied> => {
  let compared = 0
  let events = 0
  const batch = createBatch(async (full) => {
    signal.throwIfAborted()
    await to.append(full)
    events += full.length
    await onCopied?.(events)
  })
  const held = readLogToEnd(to.log)
  try {
    let copy = await held.next()
    for await (const event of readLogToEnd(from)) {
      signal.throwIfAborted()
      if (copy.done === true) {
        await batch.add(event)
        continue
      }
      requireSame(copy.value, event)
      compared += 1
      events += 1
      copy = await held.next()
    }
    if (copy.done !== true) {
      throw new CopyMismatchError(`The target holds events that the source lacks, from ${describe(copy.value)} on`)
    }
    await batch.empty()
  } finally {
    await held.return(undefined)
  }
  return { events, compared }
}
