import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Consumer as KafkaConsumer } from 'kafkajs'
import type { Logger } from 'pino'
import { withTimeout } from '../../async/timeout.ts'
import type { Consumer } from '../port.ts'
import type { LogSource, TopicPartition } from './assignment-round.ts'
import type { KafkaAddress } from './address.ts'
import { type Assignment, startAssignment } from './assignment.ts'
import { assignerThatLetsGo } from './before-joining.ts'
import { createKafkaClient } from './client.ts'
import type { Place } from './cursor.ts'
import { watchConnections } from './connections.ts'
import { commitHints } from './hints.ts'
import type { KafkaState } from './kafka-state.ts'
import type { Standing } from './standing.ts'
import type { UnderWay } from './under-way.ts'
import { topicName } from './topics.ts'
import { watch } from './watchdog.ts'

/** A member that ends without a word is replaced after that time and a heartbeat of the others. */
const sessionTimeoutMs = 8_000
const heartbeatEveryMs = 1_000
const rebalanceTimeoutMs = 10_000
/** How long a batch under way may hold up a rebalance: less than a session, for nothing is heard of the member meanwhile. */
const letGoWithinMs = 5_000
/**
 * How long Kafka keeps a request for messages when there are none; with some it answers at once. Also how late a partition may be
 * that is fetched again, or a stop. Shorter, and a dozen idle consumers keep a broker busy.
 */
const fetchWaitMs = 250
/**
 * Between two requests for messages. Those that are there are handled at once; the next are fetched together, for under a steady
 * load a request for each message would cost broker and consumers more than all the rest.
 */
const gatherMs = 10
const closeWithinMs = 3_000

export type SessionOptions = {
  readonly address: KafkaAddress
  readonly consumer: Consumer
  readonly standing: Standing
  readonly logger: Logger
  readonly underWay: UnderWay
  readonly handledHere: Map<string, Place>
  /** Where a consumer that starts 'now' begins, by bus partition. */
  readonly beginnings: ReadonlyMap<string, Place>
  readonly state: KafkaState
  /** Undefined in a process that has no event store. */
  readonly source: LogSource | undefined
  /** Of the member that the session before was. */
  formerMember(): string | undefined
  onMember(memberId: string): void
}

/**
 * One connection of a consumer to its group, until the signal aborts (then it resolves, after the batches under way) or something
 * fails for good (then it rejects). Where the consumer stands is not in here.
 */
export const runSession = async (options: SessionOptions, signal: AbortSignal): Promise<void> => {
  const { address, consumer, standing, logger, underWay, beginnings, state } = options
  const ended = Promise.withResolvers<void>()
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  let assignment: Assignment | undefined

  const letGo = async () => {
    assignment?.stop()
    // Those that take longer are handed over while they are under way, and done twice.
    await Promise.race([underWay.endOfAll(), delay(letGoWithinMs, undefined, { ref: false })])
  }

  const connections = watchConnections()
  const kafka = createKafkaClient(address, logger, connections.socketFactory).consumer({
    groupId: address.prefix + consumer.group,
    partitionAssigners: [assignerThatLetsGo({ letGo, formerMember: options.formerMember })],
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatEveryMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    minBytes: 1,
    maxWaitTimeInMs: fetchWaitMs,
    maxBytesPerPartition: 1024 * 1024,
    maxBytes: 8 * 1024 * 1024,
    metadataMaxAge: 30_000,
    // Long enough for a broker that starts again: whoever comes back as the same member need not be waited for.
    retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: () => Promise.resolve(false) },
  })

  const topicNames = new Map(consumer.topics.map((topic) => [topicName(address, topic), topic]))
  const topicOf = (name: string): Topic => {
    const topic = topicNames.get(name)
    if (topic === undefined)
      throw new Error(`Consumer ${consumer.group} was assigned ${name}, which it did not ask for`)
    return topic
  }

  const begin = (assigned: readonly TopicPartition[]) => {
    assignment?.stop()
    if (signal.aborted) return
    assignment = startAssignment({
      ...options,
      assigned,
      kafka: state,
      topicOf,
      cuts: connections.cuts,
      beginning: (busPartition) => beginnings.get(busPartition),
      fetching: (of) => fetchingOf(kafka, of),
    })
  }

  kafka.on(kafka.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
    options.onMember(memberId)
    const assigned = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic, partition })),
    )
    // Before anything is fetched: this runs within the joining.
    for (const of of assigned) fetchingOf(kafka, of).pause()
    begin(assigned)
  })
  kafka.on(kafka.events.CRASH, ({ payload: { error } }) => ended.reject(error))

  const current = () => assignment?.partitions() ?? new Map()
  const watchdog = watch({ kafka, partitions: current, bounds: (topic) => state.bounds(address.prefix + topic) })
  watchdog.stalled.catch((error: unknown) => {
    standing.stuck('no messages come', error)
    ended.reject(error)
  })
  const hints = consumer.startAt === 'now' ? undefined : commitHints(kafka, address.prefix, current)

  let fetchedAtMs = 0
  /** What one request has brought comes partition by partition: all of it waits for the same moment. */
  const gathered = async () => {
    if (performance.now() - fetchedAtMs >= gatherMs) fetchedAtMs = performance.now()
    await delay(Math.max(0, fetchedAtMs + gatherMs - performance.now()))
  }

  const connect = async () => {
    await kafka.connect()
    await kafka.subscribe({ topics: [...topicNames.keys()], fromBeginning: true })
    await kafka.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      // Taken over at once: handling is not what fetching waits for.
      async eachBatch({ batch, resolveOffset, isRunning, isStale }) {
        if (!isRunning() || isStale()) return
        if (assignment?.take(batch)) resolveOffset(batch.lastOffset())
        await gathered()
      },
    })
  }

  const connected = connect()
  const close = async () => {
    // A connection that is only half there is waited for: left alone, it would join and never be stopped.
    await connected.catch(() => undefined)
    await kafka.disconnect()
  }
  connected.catch(ended.reject)
  try {
    await Promise.race([ended.promise, stopped])
  } finally {
    watchdog.stop()
    assignment?.stop()
    // A lost connection is not mourned until a batch is done that may hang; whoever leaves on purpose leaves tidily.
    if (signal.aborted) await underWay.endOfAll()
    await hints?.stop()
    await withTimeout(close(), closeWithinMs, 'leaving the group').catch((error: unknown) =>
      logger.debug({ err: error, consumer: consumer.group }, 'A consumer left without a word'),
    )
    connections.end()
  }
}

const fetchingOf = (kafka: KafkaConsumer, { topic, partition }: TopicPartition) => {
  const only = [{ topic, partitions: [partition] }]
  /** kafkajs throws when it has ended meanwhile; then there is nothing to fetch any more. */
  const whileRunning = (change: () => void) => {
    try {
      change()
    } catch {
      // The session ends, or has ended, and with it what this partition may fetch.
    }
  }
  return {
    seek: (offset: bigint) => whileRunning(() => kafka.seek({ topic, partition, offset: `${offset}` })),
    pause: () => whileRunning(() => kafka.pause(only)),
    resume: () => whileRunning(() => kafka.resume(only)),
  }
}
