import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { KafkaMessage } from 'kafkajs'
import type { Logger } from 'pino'
import { createBackoff } from '../../../async/backoff.ts'
import { yieldToEventLoop } from '../../../async/event-loop-budget.ts'
import type { Consumer, Delivery } from '../../port.ts'
import { eventPositionOf } from '../../relay.ts'
import { type ConsumerPosition, cursorOf, handledUpTo, positionAfter } from '../cursor.ts'
import { parseEnvelope, publisherHeader } from '../message-format.ts'
import type { ConsumerHealth } from './consumer-state.ts'

const defaultMaxBatch = 100
/** Above this size the partition is paused. */
const maxQueuedBytes = 1024 * 1024
/** Assumed for a message from the log, whose size is unknown. */
const logMessageBytes = 4 * 1024

/** A message from Kafka or from the log. */
export type QueuedMessage = {
  readonly bytes: number
  /** Throws when the message is not an envelope. */
  envelope(): Envelope
  /** Undefined for a message from the log. */
  readonly offset: bigint | undefined
  /** Whether it is known to be the last message of its event in this partition. */
  readonly endsEvent: boolean
}

export const fromKafka = (busPartition: string, message: KafkaMessage): QueuedMessage => {
  let parsed: Envelope | undefined
  return {
    bytes: message.value?.length ?? 0,
    envelope: () => (parsed ??= parseEnvelope(busPartition, message)),
    offset: BigInt(message.offset),
    endsEvent: message.headers?.[publisherHeader] !== undefined,
  }
}

export const fromLog = (envelope: Envelope, endsEvent: boolean): QueuedMessage => ({
  bytes: logMessageBytes,
  envelope: () => envelope,
  offset: undefined,
  endsEvent,
})

export type DeliveryQueueOptions = {
  readonly busPartition: string
  readonly consumer: Consumer
  readonly health: ConsumerHealth
  readonly logger: Logger
  /** Everything up to this position has been handled. */
  readonly after: ConsumerPosition
  /** Called after each batch, with its last offset if the messages came from Kafka. */
  onHandled(offset: bigint | undefined): void
}

/** Delivers the messages of one partition in order, one batch at a time. Retries each batch until the consumer accepts it. */
type DeliveryQueue = {
  push(messages: readonly QueuedMessage[]): void
  isFull(): boolean
  isEmpty(): boolean
  /** Resolves when the queue is empty. */
  drained(): Promise<void>
  /** Resolves when the queue is not full, or stopped. */
  hasRoom(): Promise<void>
  /** Everything up to this position has been handled. It is never between two messages of one event. */
  position(): ConsumerPosition
  /** Marks everything up to this position as handled. Only while the queue is empty. */
  moveTo(position: ConsumerPosition): void
  /** Discards the queue. Resolves when the in-flight batch is done. */
  stop(): Promise<void>
}

const isLastOfEvent = (message: QueuedMessage, envelope: Envelope, following: QueuedMessage | undefined): boolean => {
  if (message.endsEvent) return true
  try {
    return (
      following !== undefined && eventPositionOf(following.envelope().position) !== eventPositionOf(envelope.position)
    )
  } catch {
    return false
  }
}

/** The number of messages before the first that is not an envelope. Throws if it is the very first: it is never skipped. */
const countParsable = (messages: readonly QueuedMessage[]): number => {
  for (const [index, message] of messages.entries()) {
    try {
      message.envelope()
    } catch (error) {
      if (index > 0) return index
      throw error
    }
  }
  return messages.length
}

export const startDeliveryQueue = (options: DeliveryQueueOptions): DeliveryQueue => {
  const { busPartition, consumer, health, logger, onHandled } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const maxBatch = consumer.maxBatch ?? defaultMaxBatch
  const backoff = createBackoff({ firstMs: 20, maxMs: 5_000 })
  const queue: QueuedMessage[] = []
  let queuedBytes = 0
  let delivering: Promise<void> | undefined
  let position: ConsumerPosition = {}
  /** Messages up to this position are duplicates: already read from the log, or published twice. */
  let duplicatesUpTo = ''
  let room = Promise.withResolvers<void>()

  const isFull = () => queuedBytes >= maxQueuedBytes

  const skipDuplicatesUpTo = (handled: string) => {
    // A consumer with startAt 'now' has only read what this bus delivered.
    if (consumer.startAt !== 'now' && handled > duplicatesUpTo) duplicatesUpTo = handled
  }

  const moveTo = (to: ConsumerPosition) => {
    position = to
    skipDuplicatesUpTo(handledUpTo(to))
  }
  moveTo(options.after)

  const deliverBatch = async () => {
    const batch = queue.slice(0, countParsable(queue.slice(0, maxBatch)))
    const deliveries: Delivery[] = []
    let reached = position
    for (const [index, message] of batch.entries()) {
      const envelope = message.envelope()
      if (envelope.position <= duplicatesUpTo) continue
      // Until the last message of an event has been handled, a crash must redeliver all of them.
      if (isLastOfEvent(message, envelope, queue[index + 1])) reached = positionAfter(envelope, message.offset)
      deliveries.push({ envelope, busPartition, cursor: cursorOf(reached) })
    }
    if (deliveries.length > 0) await consumer.handle(deliveries)
    health.recovered(busPartition)
    backoff.reset()
    position = reached
    skipDuplicatesUpTo(deliveries.at(-1)?.envelope.position ?? '')
    queue.splice(0, batch.length)
    for (const { bytes } of batch) queuedBytes -= bytes
    if (!isFull()) room.resolve()
    onHandled(batch.at(-1)?.offset)
  }

  const recordFailure = (error: unknown) => {
    const failures = health.failed(busPartition, error)
    const offset = queue[0]?.offset?.toString()
    const context = { err: error, consumer: consumer.group, failures, busPartition, offset }
    logger.warn(context, 'consumer failed to handle a batch, retrying')
  }

  const deliver = async () => {
    while (!signal.aborted && queue.length > 0) {
      await yieldToEventLoop()
      if (signal.aborted) break
      try {
        await deliverBatch()
      } catch (error) {
        if (signal.aborted) break
        recordFailure(error)
        await backoff.pause(signal)
      }
    }
    delivering = undefined
  }

  return {
    push(messages) {
      if (signal.aborted || messages.length === 0) return
      for (const { bytes } of messages) queuedBytes += bytes
      queue.push(...messages)
      if (isFull()) room = Promise.withResolvers()
      delivering ??= deliver()
    },
    isFull,
    isEmpty: () => queue.length === 0,
    async drained() {
      while (delivering !== undefined) await delivering
    },
    async hasRoom() {
      while (isFull() && !signal.aborted) await room.promise
    },
    position: () => position,
    moveTo,
    async stop() {
      stopping.abort()
      room.resolve()
      await delivering
      health.recovered(busPartition)
    },
  }
}
