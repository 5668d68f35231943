import { allBucketKeys, bucketOf } from '@portal/contracts/shared/buckets'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { KafkaAddress } from './address.ts'
import { topicName } from './topics.ts'

/** Where the keys of a topic go. */
export type Layout = ReadonlyMap<string, number>

const bucketNumbers = new Map(allBucketKeys.map((key, number) => [key, number]))

/**
 * By the key alone, as long as the number of partitions stays. Buckets in turn: a hash of 64 keys would give some partitions
 * three times what it gives others.
 */
export const partitionOf = (key: string, count: number): number => (bucketNumbers.get(key) ?? bucketOf(key)) % count

/** Where a message goes. */
export const destinationOf = (address: KafkaAddress, layout: Layout) => (envelope: Pick<Envelope, 'topic' | 'key'>) => {
  const topic = topicName(address, envelope.topic)
  return { topic, partition: partitionOf(envelope.key, layout.get(topic) ?? 1) }
}

/** By topic and partition (`topic/3`), the offset behind the last message. */
export type Ends = ReadonlyMap<string, bigint>
export const endName = (topic: string, partition: number): string => `${topic}/${partition}`
