import type { KafkaAdmin } from '../admin.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type Ends, type Layout, partitionKey } from '../topics.ts'

const checkIntervalMs = 2_000

/** Kafka has lost published messages, so the log publisher has to find a position to resume at. */
export class TopicTruncatedError extends Error {
  override readonly name = 'TopicTruncatedError'
  constructor() {
    super('Kafka does not hold what was published')
  }
}

/** The end of each partition, and the number of partitions of each topic. */
export type TopicOffsets = { readonly ends: Ends; readonly layout: Layout }

const readEnds = async (admin: KafkaAdmin, topics: Iterable<string>): Promise<Ends> => {
  const ends = new Map<string, bigint>()
  for (const topic of topics) {
    for (const [partition, { high }] of await admin.bounds(topic)) ends.set(partitionKey(topic, partition), high)
  }
  return ends
}

/** Creates missing topics first. */
export const readTopicOffsets = async (admin: KafkaAdmin): Promise<TopicOffsets> => {
  const layout = await admin.prepare()
  return { ends: await readEnds(admin, layout.keys()), layout }
}

export const includesEnds = (current: Ends, published: Ends): boolean =>
  [...published].every(([name, end]) => (current.get(name) ?? 0n) >= end)

/** Whether Kafka still has everything that was published. */
export const includesOffsets = (current: TopicOffsets, published: TopicOffsets): boolean =>
  includesEnds(current.ends, published.ends) &&
  [...published.layout].every(([topic, count]) => (current.layout.get(topic) ?? 0) >= count)

type TruncationWatch = {
  /** Aborts with a TopicTruncatedError when Kafka has less than was published. */
  readonly signal: AbortSignal
  /** The last checkpoint of which two checks have found all messages. */
  confirmed(): Checkpoint
  stop(): void
}

/**
 * Lets an idle log publisher notice a loss. Otherwise the messages would be missing until the next event. A topic that is being
 * deleted still acknowledges messages, and may still report them at the next check.
 */
export const watchForTruncation = (
  admin: KafkaAdmin,
  start: { readonly confirmed: Checkpoint; readonly foundOnce: Checkpoint },
  reached: () => Checkpoint,
): TruncationWatch => {
  const truncated = new AbortController()
  let isChecking = false
  let { confirmed, foundOnce } = start

  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      // Read first, so that messages published meanwhile are not compared.
      const published = reached()
      const topics = new Set([...published.ends.keys()].map((name) => name.slice(0, name.lastIndexOf('/'))))
      // A deleted topic also fails to answer. Creating missing topics tells it from an unreachable Kafka.
      const current = await readEnds(admin, topics).catch(async () => (await readTopicOffsets(admin)).ends)
      if (includesEnds(current, published.ends)) [confirmed, foundOnce] = [foundOnce, published]
      else truncated.abort(new TopicTruncatedError())
    } catch {
      // Kafka does not answer, which publishing reports.
    } finally {
      isChecking = false
    }
  }

  const timer = setInterval(() => void check(), checkIntervalMs)
  return { signal: truncated.signal, confirmed: () => confirmed, stop: () => clearInterval(timer) }
}
