import { createRunningState } from '../async/running-state.ts'
import { StoreClosedError } from './errors.ts'
import { createAppender } from './eventstoredb/append.ts'
import { connectTo } from './eventstoredb/client.ts'
import { createLogRecognition } from './eventstoredb/log-recognition.ts'
import { createStreamCache } from './eventstoredb/stream-cache.ts'
import { createLogEnd } from './eventstoredb/log-end.ts'
import { tryParsePosition, formatPosition } from './eventstoredb/log-position.ts'
import { decodeEvent } from './eventstoredb/decode-event.ts'
import { readRecords } from './eventstoredb/read.ts'
import { subscribe } from './eventstoredb/subscribe.ts'
import type { EventStore } from './port.ts'
import { serializeAppend } from './serialize-append.ts'

type EventStoreDbOptions = {
  readonly url: string
  /** Called when the log is older than what this process has read. `missing` names the missing event. */
  readonly onOlder?: (missing: string) => void
  /** Called before the first append after a lost connection. If it rejects, nothing is appended. */
  readonly verify?: () => Promise<void>
}

/**
 * The event store in EventStoreDB. `url` is an EventStoreDB connection string: hosts or a cluster to discover, credentials, TLS
 * settings. Does not connect, so the server may start later.
 */
export const openEventStoreDb = async ({ url, onOlder, verify }: EventStoreDbOptions): Promise<EventStore> => {
  const engine = connectTo(url)
  const cache = createStreamCache()
  const recognition = createLogRecognition({
    engine,
    onOlder: (missing) => {
      // Without the cached revisions, appends succeed on the older log.
      cache.clear()
      end.reset()
      onOlder?.(missing)
    },
    verify: async () => verify?.(),
  })
  const end = createLogEnd(engine, (event) => {
    // If the store is unavailable, other calls report that.
    recognition.isGone(event).catch(() => undefined)
  })
  const appender = createAppender({ engine, cache, recognition, onAppended: end.observe })
  const running = createRunningState(() => new StoreClosedError())

  return {
    append: async (stream, expected, events) => {
      running.assertRunning()
      return appender.append(stream, expected, serializeAppend(stream, expected, events))
    },
    async *read(stream, fromRevision = 0) {
      running.assertRunning()
      let cached = cache.get(stream)
      for await (const record of readRecords(engine, stream, fromRevision)) {
        running.assertRunning()
        // A stream read from its start is usually appended to next.
        if (record.revision === 0) cached ??= cache.replace(stream)
        cached?.add(record.revision, record.id)
        yield decodeEvent(record)
      }
    },
    async *subscribe(after, filter, signal) {
      running.assertRunning()
      const ended = AbortSignal.any([signal, running.signal])
      yield* subscribe({ engine, end, recognition, signal: ended }, after, filter)
    },
    end: async () => {
      running.assertRunning()
      const endOfLog = await engine.retryShortOutages(() => end.read())
      return endOfLog.end === 'start' ? 'start' : formatPosition(endOfLog.end.position)
    },
    holds: async ({ position, eventId }) => {
      running.assertRunning()
      const parsed = tryParsePosition(position)
      return parsed !== undefined && recognition.holds({ position: parsed, id: eventId })
    },
    check: async () => {
      running.assertRunning()
      await end.newestPosition()
      appender.check()
    },
    close: async () => {
      if (!running.stop()) return
      await appender.drained()
      await engine.close()
    },
  }
}
