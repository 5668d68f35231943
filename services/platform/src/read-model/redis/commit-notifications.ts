import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'

const messageSchema = z.tuple([z.string(), z.string()])
const maxChannels = 1_000

type CommitNotifications = {
  /** Subscribes to commits of all processes to the partition. Notifications may be lost. */
  follow(partition: string): void
  close(): void
}

/** Receives the published commits of other processes, for the partitions that callers have most recently waited for. */
export const subscribeToCommits = (
  connection: Connection,
  keys: NamespaceKeys,
  onApplied: (projection: string, partition: string, position: string) => void,
): CommitNotifications => {
  // After a failure the next caller that waits subscribes again. Meanwhile positions are polled.
  const ignore = () => undefined
  const followed = new LRUCache<string, true>({
    max: maxChannels,
    dispose: (_value, partition, reason) => {
      if (reason === 'evict') connection.unsubscribe(keys.of(partition).channel).catch(ignore)
    },
  })

  const listener = (partition: string) => (message: Buffer) => {
    const [projection, position] = messageSchema.parse(JSON.parse(message.toString()))
    onApplied(projection, partition, position)
  }

  return {
    follow(partition) {
      if (followed.get(partition) === true) return
      followed.set(partition, true)
      connection.subscribe(keys.of(partition).channel, listener(partition)).catch(() => followed.delete(partition))
    },
    close: () => followed.clear(),
  }
}
