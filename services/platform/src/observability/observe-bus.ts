import type { Bus, Consumer, Delivery } from '../bus/port.ts'
import type { Observability } from './observability.ts'
import type { Span, Tracing } from './tracing/tracing.ts'

/** Error classes with a label of their own, per consumer. */
const maxErrorNames = 20

/**
 * Counts, times and traces the consumers of a bus. A consumer is labeled with its group. The group of a single process ('gateway-'
 * and an id) loses its id, so that restarts add no series.
 */
export const observeBus = (bus: Bus, observability: Observability): Bus => ({
  ...bus,
  consume: async (consumer) => {
    const name = consumer.group.replace(/-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '')
    const { handle, loadCursors, stop } = observed(consumer, name, observability)
    const subscription = await bus.consume({ ...consumer, handle, loadCursors })
    return {
      startedAt: subscription.startedAt,
      stop: async () => {
        await subscription.stop()
        stop()
      },
    }
  },
})

const observed = (consumer: Consumer, name: string, { metrics, tracing }: Observability) => {
  const { handled, failed, messages, age, oldestInFlight: oldestInHand } = metrics.bus
  const duration = handled.of({ consumer: name })
  const ages = age.of({ consumer: name })
  const count = messages.labels({ consumer: name })
  const failures = countByError((error) => failed.labels({ consumer: name, error }))
  const inFlight = createInFlightAge()
  const stopWatching = metrics.beforeScrape(() => oldestInHand.set({ consumer: name }, inFlight.oldestMs() / 1_000))
  const handle: Consumer['handle'] = tracing.isOn
    ? (deliveries) => handleTraced(consumer, name, deliveries, tracing)
    : consumer.handle

  return {
    stop: stopWatching,
    // An emptied read model fails here, too.
    loadCursors: async () => {
      try {
        return await consumer.loadCursors()
      } catch (error) {
        failures(error)
        throw error
      }
    },
    handle: async (deliveries: readonly Delivery[]): Promise<void> => {
      const first = deliveries[0]
      if (!first) return handle(deliveries)
      const recordedAtMs = Date.parse(first.envelope.at)
      const startedAtMs = performance.now()
      inFlight.received(first.busPartition, recordedAtMs)
      try {
        await handle(deliveries)
      } catch (error) {
        inFlight.rejected(first.busPartition)
        failures(error)
        throw error
      }
      inFlight.done(first.busPartition)
      duration.observe((performance.now() - startedAtMs) / 1_000)
      ages.observe(Math.max(0, Date.now() - recordedAtMs) / 1_000)
      count.inc(deliveries.length)
    },
  }
}

const countByError = (seriesOf: (error: string) => { inc(): void }): ((error: unknown) => void) => {
  const series = new Map<string, { inc(): void }>()
  return (error) => {
    const given = error instanceof Error ? error.name : 'unknown'
    const name = series.has(given) || series.size < maxErrorNames ? given : 'other'
    const one = series.get(name) ?? seriesOf(name)
    series.set(name, one)
    one.inc()
  }
}

/**
 * Starts one span per trace in the batch and not per message, because a send to many recipients is one message per bucket. The spans
 * are not active: a timer or a delivery round of the consumer outlives the batch and serves other messages, too.
 */
const handleTraced = async (
  consumer: Consumer,
  name: string,
  deliveries: readonly Delivery[],
  tracing: Tracing,
): Promise<void> => {
  const spans = startSpans(name, deliveries, tracing)
  try {
    await consumer.handle(deliveries)
  } catch (error) {
    for (const span of spans) span.end(error)
    throw error
  }
  for (const span of spans) span.end()
}

const startSpans = (consumer: string, deliveries: readonly Delivery[], tracing: Tracing): readonly Span[] => {
  const byTrace = Map.groupBy(deliveries, ({ envelope }) => envelope.traceparent)
  const spans: Span[] = []
  for (const [parent, messages] of byTrace) {
    if (parent === undefined) continue
    const attributes = { consumer, messages: messages.length, position: messages[0]?.envelope.position ?? '' }
    const span = tracing.start(`handle ${consumer}`, { parent, kind: 'consumer', attributes })
    if (span) spans.push(span)
  }
  return spans
}

/** A rejected batch that is not retried within this time has moved to another process with its partition. */
const retriedWithinMs = 60_000

type Batch = { readonly recordedAtMs: number; rejectedAtMs: number | undefined }

/** Tracks the batch in flight of each bus partition: the consumer's lag as the process sees it. */
export const createInFlightAge = (nowMs: () => number = () => Date.now()) => {
  const batches = new Map<string, Batch>()

  const isInFlight = ({ rejectedAtMs }: Batch): boolean =>
    rejectedAtMs === undefined || nowMs() - rejectedAtMs < retriedWithinMs

  return {
    /** `recordedAtMs`: when the oldest message of the batch was recorded. */
    received: (busPartition: string, recordedAtMs: number): void => {
      batches.set(busPartition, { recordedAtMs, rejectedAtMs: undefined })
    },
    /** The batch will be redelivered, here or to another process. */
    rejected: (busPartition: string): void => {
      const batch = batches.get(busPartition)
      if (batch) batch.rejectedAtMs = nowMs()
    },
    done: (busPartition: string): void => void batches.delete(busPartition),
    /** The age of the oldest message in flight; 0 if there is none. */
    oldestMs: (): number => {
      const current = [...batches.values()].filter(isInFlight)
      return current.reduce((oldest, { recordedAtMs }) => Math.max(oldest, nowMs() - recordedAtMs), 0)
    },
  }
}
