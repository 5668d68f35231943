import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStoreUnavailableError } from '../errors.ts'
import type { Engine, EngineRecord } from './client.ts'
import { type EventStoreDbPosition, isAfter } from './log-position.ts'
import type { SubscriptionBuffer } from './subscription-buffer.ts'

/** A read that delivers nothing for this long fails. */
const silenceMs = 4_900

/**
 * The items of a call. Throws EventStoreUnavailableError if the first takes longer than `firstMs`, or a later one too long. Leaving
 * the loop cancels the call.
 */
export async function* itemsOf<T>(
  call: SubscriptionBuffer<T>,
  firstMs = silenceMs,
): AsyncGenerator<T, void, undefined> {
  let maxSilenceMs = firstMs
  let isSilent = false
  try {
    for (;;) {
      const item = call.take()
      if (item !== undefined) {
        isSilent = false
        maxSilenceMs = silenceMs
        yield item
        continue
      }
      const ended = call.ending()
      if (ended?.error !== undefined) throw ended.error
      if (ended !== undefined) return
      if (isSilent) throw new EventStoreUnavailableError()
      isSilent = (await call.changed(maxSilenceMs)) === 'timed-out'
      // This process may have been suspended itself, so read first what has arrived meanwhile.
      if (isSilent) await nextTurn()
    }
  } finally {
    call.stop()
  }
}

/** A stream's records from a revision. Resumes where it was if the call breaks. */
export async function* readRecords(
  engine: Engine,
  stream: string,
  from: number,
): AsyncGenerator<EngineRecord, void, undefined> {
  let next = from
  let lastRecordMs = performance.now()
  const open = async (remainingMs: number) => {
    const records = itemsOf(engine.readStream(stream, next), remainingMs)
    return { records, first: await records.next() }
  }
  for (;;) {
    const { records, first } = await engine.retryShortOutages(open, lastRecordMs)
    try {
      for (let step = first; step.done !== true; step = await records.next()) {
        next = step.value.revision + 1
        yield step.value
        lastRecordMs = performance.now()
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
  engine.retryShortOutages(async (remainingMs) => {
    const records: EngineRecord[] = []
    for await (const record of itemsOf(engine.readStreamBackwards(stream, limit), remainingMs)) records.push(record)
    return records.toReversed()
  })

/** The record of a stream at a revision. */
export const readRecord = (engine: Engine, stream: string, revision: number): Promise<EngineRecord | undefined> =>
  engine.retryShortOutages(async (remainingMs) => {
    for await (const record of itemsOf(engine.readStream(stream, revision, 1), remainingMs)) return record
    return undefined
  })

/** The record at a position of the log. */
export const readRecordAt = (engine: Engine, position: EventStoreDbPosition): Promise<EngineRecord | undefined> =>
  engine.retryShortOutages(async (remainingMs) => {
    for await (const record of itemsOf(engine.readAllForwards(position, 1), remainingMs)) {
      return isAfter(record.position, position) || isAfter(position, record.position) ? undefined : record
    }
    return undefined
  })
