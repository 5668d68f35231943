import { z } from 'zod'
import type { NodeRecord } from '../../event-store/eventstoredb/node-client.ts'
import { keyStreams } from '../inspect-event-store.ts'
import { searchLog, withCluster } from '../search-log.ts'
import { createErasedKeysTally, type ErasedKeysOnDisk, type ScavengeRecord } from './erased-keys-tally.ts'

/** EventStoreDB's event types for tombstones and scavenges. */
const historyTypes = String.raw`^\$(streamDeleted|scavengePoint|scavengeCompleted)$`

const completedSchema = z.object({ nodeEndpoint: z.string(), result: z.string() })

/** Undefined for records of other streams and of failed scavenges. */
const scavengeRecordOf = ({ type, stream, position, at, data }: NodeRecord): ScavengeRecord | undefined => {
  if (type === '$streamDeleted') return stream.startsWith(keyStreams) ? { kind: 'key-ended', position } : undefined
  if (type === '$scavengePoint') return { kind: 'point', position }
  if (type !== '$scavengeCompleted') return undefined
  const { nodeEndpoint: node, result } = completedSchema.parse(JSON.parse(Buffer.from(data).toString('utf8')))
  return result === 'Success' ? { kind: 'completed', node, at } : undefined
}

/** Searches the log backwards to the last scavenge. After `timeoutMs` it returns the count so far. Rejects if no host responds. */
export const erasedKeysInEventStoreDb = (
  url: string,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<ErasedKeysOnDisk> =>
  withCluster(url, async (cluster) => {
    const tally = createErasedKeysTally(Math.max(1, cluster.members.length))
    const isComplete = await searchLog(cluster, { typePattern: historyTypes, timeoutMs }, (found) => {
      const record = scavengeRecordOf(found)
      return record === undefined || tally.add(record)
    })
    return tally.result(!isComplete)
  })
