import type { Checkpoint, EventStore, Filter, Position, RecordedEvent } from './port.ts'

/** The log from behind a place to its end as it is when the reader gets there. */
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
