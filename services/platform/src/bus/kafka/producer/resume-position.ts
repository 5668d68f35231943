import type { Logger } from 'pino'
import type { KafkaAddress } from '../address.ts'
import type { KafkaAdmin } from '../admin.ts'
import { parsePublisherHeader } from '../message-format.ts'
import { openMessageReader } from '../topic-reader.ts'
import { type Layout, partitionKey } from '../topics.ts'
import type { Checkpoint } from './checkpoint.ts'
import { includesOffsets, type TopicOffsets } from './topic-truncation.ts'

type Resume = {
  readonly from: Checkpoint
  /** Undefined when the log publisher continues at its checkpoint. */
  readonly because?: 'kafka is empty' | 'kafka holds less than was published' | 'no checkpoint'
}

const isEmpty = ({ ends }: TopicOffsets, topic: string, count: number): boolean =>
  Array.from({ length: count }, (_, partition) => ends.get(partitionKey(topic, partition)) ?? 0n).every(
    (end) => end === 0n,
  )

/** A topic with messages keeps its former number of partitions: if a key moved, its messages could be reordered. */
const layoutFor = (current: TopicOffsets, former: Layout | undefined): Layout =>
  new Map(
    [...current.layout].map(([topic, count]) => {
      const before = former?.get(topic)
      return [topic, before === undefined || before > count || isEmpty(current, topic, count) ? count : before]
    }),
  )

const hasLostAll = (current: TopicOffsets, { ends }: Checkpoint): boolean =>
  ends.size > 0 && [...ends.keys()].every((name) => (current.ends.get(name) ?? 0n) === 0n)

/**
 * Where a log publisher resumes. The candidates, in order: its saved checkpoint, the latest checkpoint in the headers of its own
 * messages (`own`), and the start of the log. A checkpoint is usable if Kafka still has everything published up to it.
 *
 * In an empty Kafka, the saved checkpoint stays valid: consumers that miss messages read them from the log.
 */
export const resumeFrom = (
  saved: Checkpoint | undefined,
  own: readonly Checkpoint[],
  current: TopicOffsets,
): Resume => {
  if (saved !== undefined && includesOffsets(current, saved)) {
    return { from: { ...saved, layout: layoutFor(current, saved.layout) } }
  }
  if (saved !== undefined && hasLostAll(current, saved)) {
    return { from: { ...saved, ends: new Map(), layout: layoutFor(current, undefined) }, because: 'kafka is empty' }
  }
  const because = saved === undefined ? 'no checkpoint' : 'kafka holds less than was published'
  const usable = own.filter((each) => each.position !== 'start' && includesOffsets(current, each))
  const latest = usable.toSorted((a, b) => (a.position < b.position ? 1 : -1))[0]
  const layout = layoutFor(current, latest?.layout ?? saved?.layout ?? own[0]?.layout)
  if (latest !== undefined) return { from: { ...latest, layout }, because }
  return { from: { position: 'start', ends: new Map(), layout }, because }
}

type KafkaPorts = {
  readonly address: KafkaAddress
  readonly admin: KafkaAdmin
  readonly layout: Layout
  readonly logger: Logger
}

/** The checkpoints in the last message of each partition, if this log publisher wrote it. */
export const readOwnCheckpoints = async (
  publisher: string,
  { address, admin, layout, logger }: KafkaPorts,
): Promise<readonly Checkpoint[]> => {
  const reader = openMessageReader(address, logger)
  const found: Checkpoint[] = []
  try {
    for (const topic of layout.keys()) {
      for (const [partition, { low, high }] of await admin.bounds(topic)) {
        if (low === high) continue
        const mark = parsePublisherHeader(await reader.read(topic, partition, high - 1n))
        if (mark?.publisher === publisher) found.push(mark.checkpoint)
      }
    }
    return found
  } finally {
    await reader.close()
  }
}
