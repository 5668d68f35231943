import type { Appended, Conflict, EventStore, ExpectedRevision, NewEvent, RecordedEvent } from '../event-store/port.ts'
import { categoryOf } from '../event-store/stream-name.ts'
import type { Observer } from './metrics/histogram.ts'
import type { Observability } from './observability.ts'
import type { Span } from './tracing/tracing.ts'

type Append = EventStore['append']

/**
 * Counts and times the calls of an event store. An append within a trace stores the traceparent in the event metadata, so that
 * consumers continue the trace.
 */
export const observeEventStore = (store: EventStore, { metrics, tracing }: Observability): EventStore => {
  const append = timedAppend(store.append, metrics.eventStore)
  const reads = metrics.eventStore.reads.of({})

  const tracedAppend: Append = async (stream, expected, events) => {
    const attributes = { category: categoryOf(stream), events: events.length }
    const span = tracing.start('append', { kind: 'client', attributes })
    if (!span) return append(stream, expected, events)
    try {
      const answer = await append(stream, expected, withTrace(events, span))
      span.set({ outcome: answer.kind })
      span.end()
      return answer
    } catch (error) {
      span.end(error)
      throw error
    }
  }

  return {
    ...store,
    append: tracing.isOn ? tracedAppend : append,
    // observeBus measures subscriptions.
    read: (stream, fromRevision) => timedRead(store.read(stream, fromRevision), reads),
  }
}

const withTrace = (events: readonly NewEvent[], { traceparent }: Span): readonly NewEvent[] =>
  events.map((event) => ({ ...event, metadata: { ...event.metadata, traceparent } }))

/** Returns each promise of the store unchanged, so that a reader never waits for the measurement. */
const timedRead = (events: AsyncIterable<RecordedEvent>, duration: Observer): AsyncIterable<RecordedEvent> => ({
  [Symbol.asyncIterator]: () => {
    const startedAtMs = performance.now()
    const inner = events[Symbol.asyncIterator]()
    const finished = () => duration.observe((performance.now() - startedAtMs) / 1_000)
    return {
      next: () => {
        const answer = inner.next()
        answer.then(({ done }) => done === true && finished(), finished)
        return answer
      },
      return: async () => {
        finished()
        await inner.return?.()
        return { done: true, value: undefined }
      },
    }
  },
})

const timedAppend = (append: Append, { appends, eventsAppended }: Observability['metrics']['eventStore']): Append => {
  const durations = {
    appended: appends.of({ outcome: 'appended' }),
    conflict: appends.of({ outcome: 'conflict' }),
    failed: appends.of({ outcome: 'failed' }),
  }
  return async (
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Appended | Conflict> => {
    const startedAtMs = performance.now()
    let outcome: keyof typeof durations = 'failed'
    try {
      const answer = await append(stream, expected, events)
      outcome = answer.kind
      if (outcome === 'appended') eventsAppended.inc(events.length)
      return answer
    } finally {
      durations[outcome].observe((performance.now() - startedAtMs) / 1_000)
    }
  }
}
