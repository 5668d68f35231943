import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { ageBuckets, createHistogram, durationBuckets, sizeBuckets } from './histogram.ts'
import { createScrape } from './scrape.ts'

/** Factories for the metrics of a registry. */
const createInstruments = (registry: Registry) => {
  const registers = [registry]

  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labels: readonly Label[]
  ) => createHistogram(registry, { name, help, buckets, labels })

  return { counter, gauge, histogram }
}
type Instruments = ReturnType<typeof createInstruments>

const requestMetrics = ({ histogram }: Instruments) => ({
  http: {
    requests: histogram(
      'portal_http_request_duration_seconds',
      'From the arrival of a request to its answer, by route template.',
      durationBuckets,
      'method',
      'route',
      'status',
    ),
  },
})

/** The event store and the read models. */
const storeMetrics = ({ counter, gauge, histogram }: Instruments) => ({
  eventStore: {
    appends: histogram(
      'portal_event_store_append_duration_seconds',
      "Appends by outcome: 'appended', 'conflict' or 'failed'.",
      durationBuckets,
      'outcome',
    ),
    eventsAppended: counter('portal_event_store_events_appended_total', 'Events in acknowledged appends.'),
    reads: histogram(
      'portal_event_store_read_duration_seconds',
      'Reads of a stream to its end, or to where its reader stopped.',
      durationBuckets,
    ),
  },

  readModel: {
    calls: histogram(
      'portal_read_model_call_duration_seconds',
      'Calls of a read model.',
      durationBuckets,
      'read_model',
      'call',
    ),
    callsFailed: counter(
      'portal_read_model_call_failures_total',
      'Calls of a read model that were rejected.',
      'read_model',
      'call',
    ),
    commits: counter(
      'portal_read_model_commits_total',
      "Commits by outcome: 'committed', 'conflict' or 'sealed'.",
      'read_model',
      'outcome',
    ),
    emptied: gauge(
      'portal_read_model_emptied',
      '1 when what had been projected is gone: it has to be replayed. As found by the last check.',
      'read_model',
    ),
    commitBatches: histogram(
      'portal_read_model_commit_batch_size',
      'Commits that were handed over together.',
      sizeBuckets,
      'read_model',
    ),
  },
})

/** Metrics of messages on their way from the log to the read models. */
const messageMetrics = ({ counter, gauge, histogram }: Instruments) => ({
  bus: {
    handled: histogram(
      'portal_bus_handle_duration_seconds',
      'What consumers took for a batch of messages.',
      durationBuckets,
      'consumer',
    ),
    failed: counter(
      'portal_bus_handle_failures_total',
      'Batches that a consumer rejected, and cursors it could not load, by the name of the error. Both are tried again.',
      'consumer',
      'error',
    ),
    messages: counter('portal_bus_messages_total', 'Messages that consumers have handled.', 'consumer'),
    age: histogram(
      'portal_bus_message_age_seconds',
      'From the recording of an event to when a consumer had handled it; the oldest of each batch.',
      ageBuckets,
      'consumer',
    ),
    oldestInFlight: gauge(
      'portal_bus_oldest_in_hand_seconds',
      'The age of the oldest message that a consumer has been given and has not handled; 0 when there is none.',
      'consumer',
    ),
  },

  projections: {
    messages: counter(
      'portal_projection_messages_total',
      "Messages by outcome: 'applied', 'known' (redelivered) or 'parked' (became dead letters).",
      'projection',
      'outcome',
    ),
    deadLetters: gauge(
      'portal_projection_parked',
      'Dead letters: messages that could not be applied, and later ones of their key.',
      'projection',
    ),
  },

  logPublisher: {
    leading: gauge('portal_feed_leading', "1 in the process that carries a service's events to the bus.", 'service'),
    failing: gauge('portal_feed_failing', '1 while the feed that leads cannot publish.', 'service'),
    published: counter(
      'portal_feed_published_messages_total',
      'Messages the feed has taken up; what is tried again counts again.',
      'service',
    ),
  },
})

/** Sockets, delivery and outbound messages. */
const notificationMetrics = ({ counter, gauge }: Instruments) => ({
  sockets: {
    connected: gauge('portal_sockets_connected', 'Open sockets.'),
    users: gauge('portal_sockets_users', 'Users with an open socket.'),
    malformed: counter('portal_sockets_malformed_total', 'Messages of clients that do not fit their contract.'),
    floods: counter('portal_sockets_floods_total', 'Sockets closed because they said too much.'),
    stuck: counter('portal_sockets_stuck_total', 'Sockets closed because their client did not read.'),
  },

  delivery: {
    outcomes: counter(
      'portal_delivery_outcomes_total',
      "Recipients by how a send ended for them: 'live', 'pushed', 'skipped', 'failed' or 'cancelled'.",
      'outcome',
    ),
  },

  outbound: {
    messages: counter(
      'portal_outbound_messages_total',
      "Messages by channel and result: 'accepted', 'unregistered' or 'failed'.",
      'channel',
      'result',
    ),
    givenUp: counter(
      'portal_outbound_given_up_total',
      'Messages that were promised and not sent, after several attempts or for lack of room, by channel.',
      'channel',
    ),
  },
})

/** Limits, security and health, for the person on call. */
const operationMetrics = ({ counter, gauge }: Instruments) => ({
  limits: {
    rejected: counter('portal_limit_refusals_total', 'Attempts that a limit refused, by its name.', 'limit'),
    fallbacks: counter(
      'portal_limit_fallbacks_total',
      'Attempts counted in the memory of one process because Redis did not answer.',
    ),
  },

  passwords: {
    waiting: gauge('portal_passwords_waiting', 'Passwords that wait for a thread.'),
    inProgress: gauge('portal_passwords_under_way', 'Passwords that are being hashed.'),
  },

  securityEvents: counter(
    'portal_security_events_total',
    "Events of the security log, by event and result: 'ok', 'refused' or 'failed'.",
    'event',
    'result',
  ),

  /** No series while all consumers are complete. */
  discontinuities: gauge(
    'portal_discontinuities',
    '1 for each consumer that is halted until it is rebuilt, as in /health.',
    'consumer',
    'cause',
  ),

  lastGoodBackup: gauge(
    'portal_last_good_backup_timestamp_seconds',
    'When the newest backup was made; 0 when there is none, or when its check failed.',
  ),

  disk: {
    free: gauge('portal_disk_free_bytes', 'What the process may still write to the disk of its data folder.'),
  },

  health: {
    partUp: gauge('portal_health_part_up', '1 while the part serves, as in /health.', 'part'),
    unhandledRejections: counter(
      'portal_unhandled_rejections_total',
      'Failures of background work that no code has handled. The part background-work is down for five minutes after each.',
    ),
  },
})

/**
 * The metrics of a process, under the names that deploy/prometheus and deploy/grafana use. Each process has one registry. Label values
 * come from the code (routes, consumers, outcomes) and never from callers, so their number is bounded. Resolve the series of a label
 * set once and keep it.
 */
export const createMetrics = () => {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  return {
    registry,
    ...createScrape(registry),
    ...requestMetrics(instruments),
    ...storeMetrics(instruments),
    ...messageMetrics(instruments),
    ...notificationMetrics(instruments),
    ...operationMetrics(instruments),
  } as const
}
export type Metrics = ReturnType<typeof createMetrics>

/**
 * The series of a counter that exists from the start. Prometheus sees no increase in a series that appears with its first event, so an
 * alert on the first event needs this.
 */
export const countedFromZero = <Label extends string>(
  counter: Counter<Label>,
  labels: Partial<Record<Label, string>>,
): { inc(): void } => {
  counter.inc(labels, 0)
  return counter.labels(labels)
}

/** Memory, processor time, event loop lag, garbage collection. Call it once per process. */
export const measureProcess = ({ registry }: Pick<Metrics, 'registry'>): void =>
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
