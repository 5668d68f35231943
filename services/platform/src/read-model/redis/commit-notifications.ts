import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'

const messageSchema = z.tuple([z.string(), z.string()])
const channelsAtMost = 1_000

type CommitNotifications = {
  /** From soon after the call on, commits to the partition are told, whoever makes them. Nothing rests on it: some may be lost. */
  follow(partition: string): void
  close(): void
}

/** Commits of other processes, as they are published. Those partitions are followed that somebody waited for last. */
export const subscribeToCommits = (
  connection: Connection,
  keys: NamespaceKeys,
  onApplied: (projection: string, partition: string, position: string) => void,
): CommitNotifications => {
  // A channel that cannot be had now is asked for again by whoever waits next; meanwhile positions are looked up.
  const ignore = () => undefined
  const followed = new LRUCache<string, true>({
    max: channelsAtMost,
    dispose: (_value, partition, reason) => {
      if (reason === 'evict') connection.unsubscribe(keys.of(partition).channel).catch(ignore)
    },
  })

  connection.onRenewed(() => followed.clear())

  const listener = (partition: string) => (message: string) => {
    const [projection, position] = messageSchema.parse(JSON.parse(message))
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
