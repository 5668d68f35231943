import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { Partitioners, type RecordMetadata } from 'kafkajs'
import type { Logger } from 'pino'
import { createBackoff } from '../../../async/backoff.ts'
import { type LogPosition, positionOf } from '../../log-cursor.ts'
import type { KafkaAddress } from '../address.ts'
import type { KafkaAdmin } from '../admin.ts'
import { createKafkaClient, rootCauseOf } from '../client.ts'
import { trackConnections } from '../kafkajs-workarounds.ts'
import { type OutgoingRecord, recordsOf, requestOf } from '../message-format.ts'
import { type Ends, partitionKey } from '../topics.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { ProducerHealth } from './producer-health.ts'
import { includesEnds, readTopicOffsets, TopicTruncatedError } from './topic-truncation.ts'

const maxBatchMessages = 500
const maxBatchBytes = 1024 * 1024
const stopTimeoutMs = 2_000

/** Splits records into requests. A record over the limit gets its own request. */
function* batchesOf(records: readonly OutgoingRecord[]): Generator<readonly OutgoingRecord[]> {
  let batch: OutgoingRecord[] = []
  let batchBytes = 0
  for (const record of records) {
    const bytes = Buffer.byteLength(record.value)
    if (batch.length > 0 && (batch.length >= maxBatchMessages || batchBytes + bytes > maxBatchBytes)) {
      yield batch
      batch = []
      batchBytes = 0
    }
    batch.push(record)
    batchBytes += bytes
  }
  if (batch.length > 0) yield batch
}

/** The offset of the first message of the request in each partition. */
type BaseOffsets = ReadonlyMap<string, bigint>

const baseOffsetsOf = (metadata: readonly RecordMetadata[]): BaseOffsets =>
  new Map(
    metadata.flatMap(({ topicName: topic, partition, baseOffset }) =>
      baseOffset === undefined || baseOffset.startsWith('-')
        ? []
        : [[partitionKey(topic, partition), BigInt(baseOffset)]],
    ),
  )

/**
 * Sends one request at a time. After a rejection the outcome is unknown. The broker deduplicates a repetition of the same messages,
 * but other messages need a new producer.
 */
type IdempotentProducer = {
  send(request: ReturnType<typeof requestOf>): Promise<BaseOffsets>
  /** A connection was lost. The producer does not reconnect, because Kafka may have lost its data. */
  isDisconnected(): boolean
  close(): Promise<void>
}

const connectProducer = async (address: KafkaAddress, logger: Logger): Promise<IdempotentProducer> => {
  const connections = trackConnections({ canReconnect: false })
  const producer = createKafkaClient(address, logger, connections.socketFactory).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    metadataMaxAge: 30_000,
    // One retry, for a change of leader. Before more retries, the offsets have to be compared.
    retry: { retries: 1 },
  })
  await producer.connect()
  return {
    send: async (topicMessages) => baseOffsetsOf(await producer.sendBatch({ acks: -1, topicMessages })),
    isDisconnected: () => connections.lostCount() > 0,
    close: () => producer.disconnect().finally(connections.destroy),
  }
}

type ProducerOptions = {
  /** The name of the log publisher. */
  readonly publisher: string
  readonly address: KafkaAddress
  readonly admin: KafkaAdmin
  readonly logger: Logger
  readonly health: ProducerHealth
  readonly from: Checkpoint
}

type KafkaProducer = {
  /**
   * Publishes the messages of complete events, in order for each key. Retries until the signal aborts, and sends nothing else while
   * the outcome of a request is unknown. Rejects with a TopicTruncatedError, or when aborted.
   */
  publish(envelopes: readonly Envelope[], signal: AbortSignal): Promise<void>
  /** Everything up to this position has been published. Returns the checkpoint to resume from. */
  reached(position: LogPosition): Checkpoint
  checkpoint(): Checkpoint
  close(): Promise<void>
}

/** Whether the broker accepts nothing more from this producer. */
const isFatal = (error: unknown): boolean =>
  error instanceof Error &&
  error.name !== 'KafkaJSNumberOfRetriesExceeded' &&
  !('retriable' in error && error.retriable)

/** Limits the wait for Kafka once the log publisher is stopping, because other processes wait for the lease. */
const withStopTimeout = async (work: Promise<void>, signal: AbortSignal) => {
  const finished = new AbortController()
  const stopTimeout = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: finished.signal })
    await delay(stopTimeoutMs, undefined, { signal: finished.signal, ref: false })
    throw new Error('Stopped before Kafka had answered')
  }
  const timedOut = stopTimeout()
  // It rejects with an AbortError once the work is done.
  timedOut.catch(() => undefined)
  try {
    await Promise.race([work, timedOut])
  } finally {
    finished.abort()
  }
}

/** The ends of the partitions, as far as this log publisher knows them. */
const createPublishedEnds = (from: Ends) => {
  const ends = new Map(from)
  return {
    current: (): Ends => new Map(ends),
    /** Throws a TopicTruncatedError when the messages got offsets that earlier ones had. */
    add(records: readonly OutgoingRecord[], baseOffsets: BaseOffsets) {
      const byPartition = Map.groupBy(records, ({ topic, partition }) => partitionKey(topic, partition))
      for (const [name, { length }] of byPartition) {
        const base = baseOffsets.get(name)
        if (base === undefined) continue
        const end = ends.get(name)
        // A deduplicated request reports the offsets of its first attempt, which `ends` does not include yet.
        if (end !== undefined && base < end) throw new TopicTruncatedError()
        ends.set(name, base + BigInt(length))
      }
    },
  }
}

export const createKafkaProducer = (options: ProducerOptions): KafkaProducer => {
  const { publisher, address, admin, logger, health, from } = options
  const { layout, fill } = from
  const toRecords = recordsOf(address, layout)
  const ends = createPublishedEnds(from.ends)
  let { position, eventId } = from
  let producer: IdempotentProducer | undefined

  const checkpoint = (): Checkpoint => ({
    position,
    ...(eventId !== undefined && { eventId }),
    ...(fill !== undefined && { fill }),
    ends: ends.current(),
    layout,
  })

  const closeProducer = async () => {
    const former = producer
    producer = undefined
    // The producer is discarded, so a failure to close it does not matter.
    await former?.close().catch(() => undefined)
  }

  /** Deleted topics are created again, but empty. The next messages would follow a gap. */
  const checkForTruncation = async () => {
    const current = await readTopicOffsets(admin)
    if (!includesEnds(current.ends, ends.current())) throw new TopicTruncatedError()
  }

  /** Connects before it compares offsets, because a later connection may reach a Kafka that has lost its data. */
  const connectedProducer = async (): Promise<IdempotentProducer> => {
    if (producer?.isDisconnected() === true) await closeProducer()
    if (producer !== undefined) return producer
    const connected = await connectProducer(address, logger)
    try {
      await checkForTruncation()
    } catch (error) {
      await connected.close().catch(() => undefined)
      throw error
    }
    producer = connected
    return connected
  }

  const sendOnce = async (records: readonly OutgoingRecord[], request: ReturnType<typeof requestOf>) => {
    const connected = await connectedProducer()
    ends.add(records, await connected.send(request))
  }

  const send = async (records: readonly OutgoingRecord[], signal: AbortSignal) => {
    const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 })
    const request = requestOf(publisher, checkpoint(), records)
    for (let hasFailed = false; ; hasFailed = true) {
      signal.throwIfAborted()
      try {
        // Even if the connection is intact: a request can fail because the topics are gone.
        if (hasFailed) await checkForTruncation()
        return await withStopTimeout(health.watch(sendOnce(records, request)), signal)
      } catch (error) {
        if (error instanceof TopicTruncatedError) throw error
        health.failed(rootCauseOf(error))
        if (isFatal(error)) await closeProducer()
        await backoff.pause(signal)
      }
    }
  }

  return {
    async publish(envelopes, signal) {
      for (const batch of batchesOf(toRecords(envelopes))) await send(batch, signal)
    },
    reached(reached) {
      position = positionOf(reached)
      eventId = typeof reached === 'string' ? undefined : reached.eventId
      return checkpoint()
    },
    checkpoint,
    close: closeProducer,
  }
}
