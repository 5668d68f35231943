import type { Logger } from 'pino'
import type { KafkaAddress } from './address.ts'
import type { KafkaAdmin } from './admin.ts'
import type { Checkpoint } from './checkpoint.ts'
import { feedMarkOf } from './feed-header.ts'
import { openMessageReader } from './message-reader.ts'
import type { Layout } from './layout.ts'

/** What the last message of each partition tells of how far this feed was. */
export const ownCheckpoints = async (
  feed: string,
  { address, admin, layout, logger }: { address: KafkaAddress; admin: KafkaAdmin; layout: Layout; logger: Logger },
): Promise<readonly Checkpoint[]> => {
  const reader = openMessageReader(address, logger)
  const found: Checkpoint[] = []
  try {
    for (const topic of layout.keys()) {
      for (const [partition, { low, high }] of await admin.bounds(topic)) {
        if (low === high) continue
        const mark = feedMarkOf(await reader.read(topic, partition, high - 1n))
        if (mark?.feed === feed) found.push(mark.checkpoint)
      }
    }
    return found
  } finally {
    await reader.close()
  }
}
