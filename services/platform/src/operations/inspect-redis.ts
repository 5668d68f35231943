import { withTimeout } from '../async/timeout.ts'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { openClient, type SendToNode } from '../read-model/redis/client.ts'
import { lossyReplicationOf } from '../read-model/redis/server-settings.ts'

const inspectTimeoutMs = 5_000

/** The state of one server. */
export type RedisNode = {
  readonly version: string
  /** Whether changes survive a restart. */
  readonly isPersistent: boolean
  readonly replicas: number
  /** Whether writes are rejected while no replica is in sync (min-replicas-to-write). */
  readonly needsReplica: boolean
  /** 0 means no limit. */
  readonly memoryLimitBytes: number
  readonly usedMemoryBytes: number
  readonly evictionPolicy: string
  /** What a failover could lose, and the setting that prevents it; undefined if nothing could be lost. */
  readonly lossyReplication?: string | undefined
  /** Positive if its clock is ahead of ours. The error is at most half of the round trip. */
  readonly clockAheadMs: number
}

const textOf = (reply: unknown): string => (typeof reply === 'string' ? reply : String(reply))

const settingsOf = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':')
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const]
    }),
  )

const clockAhead = async (send: SendToNode): Promise<number> => {
  const sentAtMs = Date.now()
  const reply = await send(['TIME'])
  const middleMs = (sentAtMs + Date.now()) / 2
  const [seconds, micros] = Array.isArray(reply) ? reply.map(Number) : []
  return Math.round((seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000 - middleMs)
}

const inspectNode = async (send: SendToNode): Promise<RedisNode> => {
  const info = textOf(await send(['INFO']))
  const settings = settingsOf(info)
  const number = (name: string) => Number(settings.get(name) ?? '0')
  return {
    version: settings.get('redis_version') ?? 'unknown',
    isPersistent: settings.get('aof_enabled') === '1',
    replicas: number('connected_slaves'),
    // Only where min-replicas-to-write is set.
    needsReplica: settings.has('min_slaves_good_slaves'),
    memoryLimitBytes: number('maxmemory'),
    usedMemoryBytes: number('used_memory'),
    evictionPolicy: settings.get('maxmemory_policy') ?? 'unknown',
    lossyReplication: lossyReplicationOf(info),
    clockAheadMs: await clockAhead(send),
  }
}

/** Inspects each server that holds keys. Rejects on a timeout. */
export const inspectRedis = async (readModelUrl: string): Promise<readonly RedisNode[]> => {
  let lastError: unknown
  const ignore = () => undefined
  const onError = (error: unknown) => void (lastError = error)
  const client = openClient(parseRedisAddress(readModelUrl), { onError, onLost: ignore, onReady: ignore })
  const inspect = async () => {
    await client.connect()
    return Promise.all((await client.nodes()).map(inspectNode))
  }
  try {
    return await withTimeout(inspect(), inspectTimeoutMs, 'the response of Redis')
  } catch (error) {
    // The client's last error is more specific than the timeout.
    throw lastError ?? error
  } finally {
    client.destroy()
  }
}
