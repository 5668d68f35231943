import type { EventStore, Filter, Position, Recorded } from '@portal/platform/event-store/port'

/** The log from a position to its end as it is now. */
export async function* logUpToNow(
  log: Pick<EventStore, 'subscribe'>,
  after: Position | 'start',
  filter: Filter,
): AsyncGenerator<Recorded> {
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
