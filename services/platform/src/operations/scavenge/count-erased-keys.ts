import { z } from 'zod'
import { withTimeout } from '../../async/timeout.ts'
import {
  connectToNode,
  hostsOf,
  type NodeAddress,
  type NodeClient,
  type NodeRecord,
} from '../../event-store/eventstoredb/node-client.ts'
import { keyStreams } from '../inspect-event-store.ts'
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

const answerTimeoutMs = 5_000
const closeTimeoutMs = 1_000

export const closeNode = (node: NodeClient): Promise<void> =>
  withTimeout(node.close(), closeTimeoutMs, 'Closing').catch(() => undefined)

type Cluster = {
  /** A node that responds. */
  readonly node: NodeClient
  readonly members: readonly NodeAddress[]
}

/** Connects to the first host that responds, and lists the members of its cluster. */
const connectToCluster = async (url: string): Promise<Cluster> => {
  let failure: unknown
  for (const host of hostsOf(url)) {
    const node = connectToNode(url, host)
    try {
      return { node, members: await withTimeout(node.members(), answerTimeoutMs, 'The response of EventStoreDB') }
    } catch (error) {
      failure = error
      await closeNode(node)
    }
  }
  throw failure
}

/** Searches the log backwards to the last scavenge. After `timeoutMs` it returns the count so far. */
const countErasedKeys = async (
  { node, members }: Cluster,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<ErasedKeysOnDisk> => {
  const tally = createErasedKeysTally(Math.max(1, members.length))
  const search = node.searchBackwards(historyTypes)[Symbol.asyncIterator]()
  const isLate = Symbol('late')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof isLate>((resolve) => {
    timer = setTimeout(() => resolve(isLate), timeoutMs)
  })
  try {
    for (;;) {
      const next = await Promise.race([search.next(), late])
      if (next === isLate) return tally.result(true)
      if (next.done === true) return tally.result(false)
      const record = scavengeRecordOf(next.value)
      if (record !== undefined && !tally.add(record)) return tally.result(false)
    }
  } finally {
    clearTimeout(timer)
    // Closing the connection ends a waiting search.
    void search.return?.()
  }
}

/** Connects and counts. Rejects if no host responds. */
export const erasedKeysInEventStoreDb = async (
  url: string,
  options: { readonly timeoutMs: number },
): Promise<ErasedKeysOnDisk> => {
  const cluster = await connectToCluster(url)
  try {
    return await countErasedKeys(cluster, options)
  } finally {
    await closeNode(cluster.node)
  }
}
