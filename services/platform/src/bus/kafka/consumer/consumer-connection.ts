import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { ConsumerConfig, Consumer as KafkaConsumer } from 'kafkajs'
import type { Logger } from 'pino'
import { withTimeout } from '../../../async/timeout.ts'
import { wholeMs } from '../../../async/timers.ts'
import type { Consumer } from '../../port.ts'
import type { KafkaAddress } from '../address.ts'
import { createKafkaClient, KafkaFailedError } from '../client.ts'
import type { ConsumerPosition } from '../cursor.ts'
import { drainBeforeRebalance, type RebalanceHooks, startWatchdog, trackConnections } from '../kafkajs-workarounds.ts'
import type { TopicReader } from '../topic-reader.ts'
import { parseBusPartition, topicName, type TopicPartition } from '../topics.ts'
import type { ConsumerState } from './consumer-state.ts'
import type { LogSource } from './log-catch-up.ts'
import { fetching, watchFetches } from './fetch-silence.ts'
import { type PartitionAssignment, startAssignment } from './partition-assignment.ts'
import type { AssignedPartition, FetchControl } from './partition-consumer.ts'

/** A crashed member is replaced after this time plus one heartbeat interval. */
const sessionTimeoutMs = 8_000
const heartbeatIntervalMs = 1_000
const rebalanceTimeoutMs = 10_000
/** How long in-flight batches may delay a rebalance. Shorter than a session, because the member sends no heartbeat meanwhile. */
const drainTimeoutMs = 5_000
/**
 * How long Kafka holds a fetch request while there are no messages. It also delays a stop and the first fetch of a resumed
 * partition. With a shorter wait, a dozen idle consumers would keep a broker busy.
 */
const fetchWaitMs = 250
/**
 * The pause between two fetch requests, so that the next messages are fetched together. A request per message would cost the broker
 * and the consumers more than all other work.
 */
const fetchIntervalMs = 10
const closeTimeoutMs = 3_000
const commitIntervalMs = 5_000
const lastCommitTimeoutMs = 500

export type ConnectionOptions = {
  readonly address: KafkaAddress
  readonly consumer: Consumer
  readonly state: ConsumerState
  readonly logger: Logger
  /** Where a consumer with startAt 'now' begins, by bus partition. */
  readonly beginnings: ReadonlyMap<string, ConsumerPosition>
  readonly topicReader: TopicReader
  /** Undefined in a process without an event store. */
  readonly source: LogSource | undefined
  /** The member id of the previous connection, until that member has left the group. */
  formerMemberId(): string | undefined
  onJoined(memberId: string): void
}

const consumerConfig = (groupId: string, hooks: RebalanceHooks): ConsumerConfig => ({
  groupId,
  partitionAssigners: [drainBeforeRebalance(hooks)],
  sessionTimeout: sessionTimeoutMs,
  heartbeatInterval: heartbeatIntervalMs,
  rebalanceTimeout: rebalanceTimeoutMs,
  minBytes: 1,
  maxWaitTimeInMs: fetchWaitMs,
  maxBytesPerPartition: 1024 * 1024,
  maxBytes: 8 * 1024 * 1024,
  metadataMaxAge: 30_000,
  // Long enough for the restart of a broker: a member that keeps its id causes no rebalance.
  retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: () => Promise.resolve(false) },
})

const fetchControlOf = (kafka: KafkaConsumer, { topic, partition }: TopicPartition): FetchControl => {
  const only = [{ topic, partitions: [partition] }]
  const whileRunning = (change: () => void) => {
    try {
      change()
    } catch {
      // kafkajs throws once the consumer has stopped, which then fetches nothing anyway.
    }
  }
  return {
    seek: (offset: bigint) => whileRunning(() => kafka.seek({ topic, partition, offset: `${offset}` })),
    pause: () => whileRunning(() => kafka.pause(only)),
    resume: () => whileRunning(() => kafka.resume(only)),
  }
}

/** Commits offsets for tools that show consumer lag. The portal never reads them, so a failed commit has no consequence. */
const startOffsetCommits = (
  kafka: KafkaConsumer,
  prefix: string,
  partitions: () => ReadonlyMap<string, AssignedPartition>,
): { stop(): Promise<void> } => {
  const committed = new Map<string, bigint>()
  let committing: Promise<void> = Promise.resolve()

  const commit = async () => {
    const offsets = [...partitions()].flatMap(([name, partition]) => {
      const next = partition.next()
      if (next === undefined || committed.get(name) === next) return []
      committed.set(name, next)
      const { topic, partition: number } = parseBusPartition(name)
      return { topic: prefix + topic, partition: number, offset: `${next}` }
    })
    if (offsets.length === 0) return
    // Fails after a rebalance, for example.
    await kafka.commitOffsets(offsets).catch(() => committed.clear())
  }

  const timer = setInterval(() => {
    committing = commit()
  }, commitIntervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.race([committing.then(commit), delay(lastCommitTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Spaces out fetch requests. kafkajs reports the partitions of one response separately, and all of them wait equally long. */
const createFetchPacing = () => {
  let fetchedAtMs = 0
  return async () => {
    if (performance.now() - fetchedAtMs >= fetchIntervalMs) fetchedAtMs = performance.now()
    await delay(wholeMs(fetchedAtMs + fetchIntervalMs - performance.now()))
  }
}

/**
 * Connects to the group and consumes. Resolves once the signal has aborted and the in-flight batches are done; rejects when the
 * connection fails. `state` outlives the connection.
 */
export const runConsumerConnection = async (options: ConnectionOptions, signal: AbortSignal): Promise<void> => {
  const { address, consumer, state, logger, beginnings, topicReader } = options
  const { health, inFlight } = state
  const failed = Promise.withResolvers<void>()
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const topics = new Map<string, Topic>(consumer.topics.map((topic) => [topicName(address, topic), topic]))
  let assignment: PartitionAssignment | undefined

  const drain = async () => {
    assignment?.stop()
    // Batches that take longer are redelivered to the new owner and processed twice.
    await Promise.race([inFlight.whenAllDone(), delay(drainTimeoutMs, undefined, { ref: false })])
  }

  const connections = trackConnections({ canReconnect: true })
  const kafka = createKafkaClient(address, logger, connections.socketFactory).consumer(
    consumerConfig(address.prefix + consumer.group, { drain, formerMemberId: options.formerMemberId }),
  )

  const topicOf = (name: string): Topic => {
    const topic = topics.get(name)
    if (topic === undefined)
      throw new Error(`Consumer ${consumer.group} was assigned ${name}, to which it is not subscribed`)
    return topic
  }

  kafka.on(kafka.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
    options.onJoined(memberId)
    const assigned = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic, partition })),
    )
    // kafkajs calls this before it fetches.
    for (const topicPartition of assigned) fetchControlOf(kafka, topicPartition).pause()
    assignment?.stop()
    if (signal.aborted) return
    assignment = startAssignment({
      ...options,
      assigned,
      topicOf,
      lostConnections: connections.lostCount,
      beginning: (busPartition) => beginnings.get(busPartition),
      fetchControl: (topicPartition) => fetchControlOf(kafka, topicPartition),
    })
  })
  kafka.on(kafka.events.CRASH, ({ payload: { error } }) => failed.reject(error))

  const partitions = () => assignment?.partitions() ?? new Map()
  const watchdog = startWatchdog({
    kafka,
    partitions,
    bounds: (topic) => topicReader.bounds(address.prefix + topic),
    positionAt: async (topic, ...at) => (await topicReader.messageAt(address.prefix + topic, ...at))?.envelope.position,
  })
  watchdog.stalled.catch((error: unknown) => {
    health.stuck('no messages come', new KafkaFailedError(error))
    failed.reject(error)
  })
  const fetches = watchFetches({
    kafka,
    lostConnections: connections.lostCount,
    onSilent: (silentMs, isGivenUp) => {
      const error = new KafkaFailedError(`Kafka has not answered for ${silentMs} ms`)
      health.stuck(fetching, error)
      if (isGivenUp) failed.reject(error)
    },
    onAnswer: () => health.recovered(fetching),
  })
  const commits = consumer.startAt === 'now' ? undefined : startOffsetCommits(kafka, address.prefix, partitions)
  const waitForNextFetch = createFetchPacing()

  const connect = async () => {
    await kafka.connect()
    await kafka.subscribe({ topics: [...topics.keys()], fromBeginning: true })
    await kafka.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      // Queues the batch and returns, so that handling never blocks fetching.
      async eachBatch({ batch, resolveOffset, isRunning, isStale }) {
        if (!isRunning() || isStale()) return
        if (assignment?.take(batch)) resolveOffset(batch.lastOffset())
        await waitForNextFetch()
      },
    })
  }

  const connected = connect()
  connected.catch(failed.reject)
  const close = async () => {
    // Wait for a connection in progress: it would join the group later, and nothing would stop it.
    await connected.catch(() => undefined)
    await kafka.disconnect()
  }
  try {
    await Promise.race([failed.promise, stopped])
  } finally {
    watchdog.stop()
    fetches.stop()
    assignment?.stop()
    // On a lost connection, do not wait for in-flight batches: they may hang. On a clean stop, drain first.
    if (signal.aborted) await inFlight.whenAllDone()
    await commits?.stop()
    await withTimeout(close(), closeTimeoutMs, 'leaving the group').catch((error: unknown) =>
      logger.debug({ err: error, consumer: consumer.group }, 'consumer disconnected without leaving its group'),
    )
    connections.destroy()
  }
}
