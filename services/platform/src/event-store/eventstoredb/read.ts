import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { EventStoreUnavailableError } from '../errors.ts'
import type { EventMetadata, RecordedEvent } from '../port.ts'
import type { Engine, EngineRecord } from './client.ts'
import { type EventStoreDbPosition, isAfter, formatPosition } from './log-position.ts'
import type { SubscriptionBuffer } from './subscription-buffer.ts'

/** A read from which nothing has come for so long is given up. */
const silenceMs = 4_900

/**
 * What a call brings, piece by piece; an error when the first takes longer than `firstMs`, or another one too long. Leaving the loop
 * gives the call up.
 */
export async function* itemsOf<T>(
  call: SubscriptionBuffer<T>,
  firstMs = silenceMs,
): AsyncGenerator<T, void, undefined> {
  let mostSilenceMs = firstMs
  let isSilent = false
  try {
    for (;;) {
      const piece = call.take()
      if (piece !== undefined) {
        isSilent = false
        mostSilenceMs = silenceMs
        yield piece
        continue
      }
      const ended = call.ending()
      if (ended?.error !== undefined) throw ended.error
      if (ended !== undefined) return
      if (isSilent) throw new EventStoreUnavailableError()
      const sinceMs = performance.now()
      await call.changed(mostSilenceMs)
      isSilent = performance.now() - sinceMs >= mostSilenceMs
      // When it was this process that stood still, what has come meanwhile is read first.
      if (isSilent) await nextTurn()
    }
  } finally {
    call.stop()
  }
}

/** A stream's records from a revision on. A call that breaks off is taken up again where it was. */
export async function* readRecords(
  engine: Engine,
  stream: string,
  from: number,
): AsyncGenerator<EngineRecord, void, undefined> {
  let next = from
  let heardMs = performance.now()
  const open = async (leftMs: number) => {
    const records = itemsOf(engine.readStream(stream, next), leftMs)
    return { records, first: await records.next() }
  }
  for (;;) {
    const { records, first } = await engine.retryShortOutages(open, heardMs)
    try {
      for (let step = first; step.done !== true; step = await records.next()) {
        next = step.value.revision + 1
        yield step.value
        heardMs = performance.now()
      }
      return
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error
    } finally {
      await records.return()
    }
  }
}

/** The newest records of a stream, oldest first. */
export const readNewestRecords = (engine: Engine, stream: string, limit: number): Promise<readonly EngineRecord[]> =>
  engine.retryShortOutages(async (leftMs) => {
    const records: EngineRecord[] = []
    for await (const record of itemsOf(engine.readStreamBackwards(stream, limit), leftMs)) records.push(record)
    return records.toReversed()
  })

/** The record of a stream at a revision. */
export const readRecord = (engine: Engine, stream: string, revision: number): Promise<EngineRecord | undefined> =>
  engine.retryShortOutages(async (leftMs) => {
    for await (const record of itemsOf(engine.readStream(stream, revision, 1), leftMs)) return record
    return undefined
  })

/** The record at a place of the log. */
export const readRecordAt = (engine: Engine, place: EventStoreDbPosition): Promise<EngineRecord | undefined> =>
  engine.retryShortOutages(async (leftMs) => {
    for await (const record of itemsOf(engine.readAllForwards(place, 1), leftMs)) {
      return isAfter(record.position, place) || isAfter(place, record.position) ? undefined : record
    }
    return undefined
  })

const text = z.string().optional()
const metadataSchema = z
  .object({ correlationId: text, causationId: text, actorId: text, occurredAt: text, traceparent: text })
  .partial()

export const parseMetadata = (metadata: unknown): EventMetadata => {
  if (metadata === undefined || metadata === null) return {}
  const { correlationId, causationId, actorId, occurredAt, traceparent } = metadataSchema.parse(metadata)
  return {
    ...(correlationId !== undefined && { correlationId }),
    ...(causationId !== undefined && { causationId }),
    ...(actorId !== undefined && { actorId }),
    ...(occurredAt !== undefined && { occurredAt }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

export const decodeEvent = ({
  stream,
  revision,
  id,
  type,
  data,
  metadata,
  at,
  position: place,
}: EngineRecord): RecordedEvent => ({
  kind: 'event',
  position: formatPosition(place),
  stream,
  revision,
  id,
  type,
  data,
  metadata: parseMetadata(metadata),
  at: at.toISOString(),
})
