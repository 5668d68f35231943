import { type Envelope, envelopeSchema } from '@portal/contracts/shared/event-envelope'
import type { KafkaMessage } from 'kafkajs'
import { feedHeader } from './feed-header.ts'

/** What a message read from the log counts, whose size is not known. */
const logMessageBytes = 4 * 1024

/** A message on its way to the consumer, from Kafka or from the log. */
export type Item = {
  readonly bytes: number
  /** Throws when it is no envelope. */
  envelope(): Envelope
  /** Undefined of a message that was read from the log. */
  readonly offset: bigint | undefined
  /** No message of its event follows in this partition. False where that is not known. */
  readonly endsEvent: boolean
}

export const itemOf = (busPartition: string, message: KafkaMessage): Item => {
  let parsed: Envelope | undefined
  return {
    bytes: message.value?.length ?? 0,
    envelope: () => (parsed ??= envelopeIn(busPartition, message)),
    offset: BigInt(message.offset),
    endsEvent: message.headers?.[feedHeader] !== undefined,
  }
}

export const logItem = (envelope: Envelope, endsEvent: boolean): Item => ({
  bytes: logMessageBytes,
  envelope: () => envelope,
  offset: undefined,
  endsEvent,
})

/** Written by nobody but the feed; still, a topic is a boundary. */
export const envelopeIn = (busPartition: string, message: KafkaMessage): Envelope => {
  try {
    return envelopeSchema.parse(JSON.parse(message.value?.toString() ?? ''))
  } catch (error) {
    throw new Error(`The message at offset ${message.offset} of ${busPartition} is no envelope`, { cause: error })
  }
}
