import { createRunningState } from '../async/running-state.ts'
import { StoreClosedError } from './errors.ts'
import { createAppends } from './eventstoredb/append.ts'
import { connectTo } from './eventstoredb/client.ts'
import { createContinuity } from './eventstoredb/continuity.ts'
import { knownStreams } from './eventstoredb/stream-cache.ts'
import { logEnd } from './eventstoredb/log-end.ts'
import { tryParsePosition, formatPosition } from './eventstoredb/log-position.ts'
import { decodeEvent, readRecords } from './eventstoredb/read.ts'
import { subscribe } from './eventstoredb/subscribe.ts'
import type { EventStore } from './port.ts'
import { serializeAppend } from './serialize-append.ts'

type EventStoreDbOptions = {
  readonly url: string
  /** Told once when the log turns out to be an older one than this process has read, with what is missing. */
  readonly onOlder?: (what: string) => void
}

/**
 * The store in EventStoreDB. The address is that of its clients: hosts or a cluster to discover, user and password, TLS and its
 * certificates. Nothing is asked of the server here: it may start later.
 */
export const openEventStoreDb = async ({ url, onOlder }: EventStoreDbOptions): Promise<EventStore> => {
  const engine = connectTo(url)
  const known = knownStreams()
  const continuity = createContinuity(engine, (what) => {
    // Streams are read again, so that appends succeed on the older log.
    known.forgetAll()
    end.forget()
    onOlder?.(what)
  })
  const end = logEnd(engine, (event) => {
    // An outage is found by others.
    continuity.isGone(event).catch(() => undefined)
  })
  const appends = createAppends({ engine, known, continuity, onAppended: end.note })
  const running = createRunningState(() => new StoreClosedError())

  return {
    append: async (stream, expected, events) => {
      running.assertRunning()
      return appends.append(stream, expected, serializeAppend(stream, expected, events))
    },
    async *read(stream, fromRevision = 0) {
      running.assertRunning()
      let state = known.get(stream)
      for await (const record of readRecords(engine, stream, fromRevision)) {
        running.assertRunning()
        // Who reads a stream from its start mostly appends to it next.
        if (record.revision === 0) state ??= known.begin(stream)
        state?.learn(record.revision, record.id)
        yield decodeEvent(record)
      }
    },
    async *subscribe(after, filter, signal) {
      running.assertRunning()
      const ended = AbortSignal.any([signal, running.signal])
      yield* subscribe({ engine, end, continuity, signal: ended }, after, filter)
    },
    end: async () => {
      running.assertRunning()
      const look = await engine.retryShortOutages(() => end.look())
      return look.end === 'start' ? 'start' : formatPosition(look.end.position)
    },
    holds: async ({ position, eventId }) => {
      running.assertRunning()
      const place = tryParsePosition(position)
      return place !== undefined && continuity.holds({ position: place, id: eventId })
    },
    check: async () => {
      running.assertRunning()
      await end.newest()
      appends.check()
    },
    close: async () => {
      if (!running.stop()) return
      await appends.idle()
      await engine.close()
    },
  }
}
