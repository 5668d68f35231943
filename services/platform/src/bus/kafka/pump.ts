import { envelopeSchema } from '@portal/contracts/shared/event-envelope'
import type { KafkaMessage } from 'kafkajs'
import type { Logger } from 'pino'
import { growingPauses } from '../growing-pauses.ts'
import type { Consumer, Delivery } from '../port.ts'
import { breathe } from '../time-slice.ts'
import { cursorOf, type Place } from './cursor.ts'
import type { Standing } from './standing.ts'

const defaultMaxBatch = 100
/** With more waiting, no more is fetched. */
const fullBytes = 1024 * 1024

export type PumpOptions = {
  readonly busPartition: string
  readonly consumer: Consumer
  readonly standing: Standing
  readonly logger: Logger
  /** Everything up to there has been handled. */
  onHandled(place: Place): void
}

/** Hands the messages of one partition to the consumer: in order, one batch at a time, each until it is accepted. */
export type Pump = {
  push(messages: readonly KafkaMessage[]): void
  isFull(): boolean
  isIdle(): boolean
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>
  /** Resolves when the batch under way is done; what waits is forgotten. */
  stop(): Promise<void>
}

const bytesOf = ({ value }: KafkaMessage): number => value?.length ?? 0

export const deliveryOf = (busPartition: string, message: KafkaMessage): Delivery => {
  // Written by nobody but the feed; still, a topic is a boundary.
  const envelope = envelopeSchema.parse(JSON.parse(message.value?.toString() ?? ''))
  return {
    envelope,
    busPartition,
    cursor: cursorOf({ offset: BigInt(message.offset), position: envelope.position }),
  }
}

export const startPump = ({ busPartition, consumer, standing, logger, onHandled }: PumpOptions): Pump => {
  const abort = new AbortController()
  const { signal } = abort
  const maxBatch = consumer.maxBatch ?? defaultMaxBatch
  const pauses = growingPauses({ firstMs: 20, mostMs: 5_000 })
  const waiting: KafkaMessage[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined

  /** Those in front of one that cannot be read: it is nobody's to skip. */
  const readable = (messages: readonly KafkaMessage[]): readonly Delivery[] => {
    const deliveries: Delivery[] = []
    for (const message of messages) {
      try {
        deliveries.push(deliveryOf(busPartition, message))
      } catch (error) {
        if (deliveries.length > 0) return deliveries
        throw new Error(`The message at offset ${message.offset} of ${busPartition} is no envelope`, { cause: error })
      }
    }
    return deliveries
  }

  const handleNext = async () => {
    const deliveries = readable(waiting.slice(0, maxBatch))
    await consumer.handle(deliveries)
    standing.well(busPartition)
    pauses.reset()
    const handled = waiting.splice(0, deliveries.length)
    for (const message of handled) waitingBytes -= bytesOf(message)
    const [message, delivery] = [handled.at(-1), deliveries.at(-1)]
    if (message !== undefined && delivery !== undefined) {
      onHandled({ offset: BigInt(message.offset), position: delivery.envelope.position })
    }
  }

  const run = async () => {
    while (!signal.aborted && waiting.length > 0) {
      await breathe()
      if (signal.aborted) break
      try {
        await handleNext()
      } catch (error) {
        if (signal.aborted) break
        const failures = standing.failed(busPartition, error)
        const context = { err: error, consumer: consumer.group, failures, busPartition, offset: waiting[0]?.offset }
        logger.warn(context, 'Consumer failed, will try again')
        await pauses.pause(signal)
      }
    }
    running = undefined
  }

  return {
    push(messages) {
      if (signal.aborted || messages.length === 0) return
      for (const message of messages) waitingBytes += bytesOf(message)
      waiting.push(...messages)
      running ??= run()
    },
    isFull: () => waitingBytes >= fullBytes,
    isIdle: () => waiting.length === 0,
    async idle() {
      while (running !== undefined) await running
    },
    async stop() {
      abort.abort()
      await running
      standing.well(busPartition)
    },
  }
}
