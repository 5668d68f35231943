import { isDeepStrictEqual } from 'node:util'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'

type Log = Pick<EventStore, 'subscribe'>

/** The log to copy into. */
export type CopyTarget = {
  /** The events that it already has. */
  readonly log: Log
  /** Appends events of the source, in this order. They are durable when it resolves. */
  append(events: readonly RecordedEvent[]): Promise<void>
}

/** The target is not a prefix of the source. */
export class CopyMismatchError extends Error {
  override readonly name = 'CopyMismatchError'
  readonly isUserFacing = true
}

/** The limits of one append. */
const batchLimits = { events: 256, jsonChars: 512 * 1024 } as const

export type CopyOptions = {
  readonly from: Log
  readonly to: CopyTarget
  readonly signal: AbortSignal
  /** Called after each batch. */
  onCopied?(events: number): Promise<void> | void
}

/** `events`: the events in the target. `compared`: how many of them it had before. */
type Copied = { readonly events: number; readonly compared: number }

/** Ignores positions, times and metadata: each store assigns its own, and metadata may gain the original time. */
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

/** Collects events up to the limits of a batch. */
const createBatch = (flush: (events: readonly RecordedEvent[]) => Promise<void>) => {
  let events: RecordedEvent[] = []
  let jsonChars = 0
  const flushNow = async (): Promise<void> => {
    const full = events
    if (full.length === 0) return
    events = []
    jsonChars = 0
    await flush(full)
  }
  return {
    flush: flushNow,
    add: async (event: RecordedEvent): Promise<void> => {
      const chars = JSON.stringify(event.data).length
      if (jsonChars + chars > batchLimits.jsonChars) await flushNow()
      events.push(event)
      jsonChars += chars
      if (events.length >= batchLimits.events) await flushNow()
    },
  }
}

/**
 * Copies all events of a log into another store, in order, with their ids, types, data and revisions. Resumes an interrupted copy after
 * comparing the existing events. Throws CopyMismatchError if they differ.
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
    await batch.flush()
  } finally {
    await held.return(undefined)
  }
  return { events, compared }
}
