import type { Checkpoint, EventStore, Filter, Position, RecordedEvent } from './port.ts'

/** The events after a position, up to the end of the log. */
export async function* readLogToEnd(
  log: Pick<EventStore, 'subscribe'>,
  after: Position | Checkpoint | 'start' = 'start',
  filter: Filter = 'all',
): AsyncGenerator<RecordedEvent> {
  const abort = new AbortController()
  try {
    for await (const event of log.subscribe(after, filter, abort.signal)) {
      if (event.kind === 'caught-up') return
      yield event
    }
  } finally {
    abort.abort()
  }
}
