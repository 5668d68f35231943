import { withTimeout } from '../async/timeout.ts'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { openClient, type SendToNode } from '../read-model/redis/client.ts'
import { lossyReplicationOf } from '../read-model/redis/server-settings.ts'

const deadlineMs = 5_000

/** What one server says of itself. */
export type RedisNode = {
  readonly version: string
  /** Changes go to a file that is there after a restart. */
  readonly isPersistent: boolean
  readonly replicas: number
  /** Writes are refused while no replica has them, within min-replicas-max-lag. */
  readonly needsReplica: boolean
  /** 0: as much as the machine has. */
  readonly memoryLimitBytes: number
  readonly usedMemoryBytes: number
  readonly evictionPolicy: string
  /** What a failover to its replica could lose, and the setting that prevents it; undefined where there is nothing to warn of. */
  readonly lossyReplication?: string | undefined
  /** Of its clock to ours: positive where it is ahead. As exact as the call was quick. */
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

/** Asks each server that keys live on. Rejects when one does not answer in time. */
export const inspectRedis = async (readModelUrl: string): Promise<readonly RedisNode[]> => {
  let lastError: unknown
  const ignore = () => undefined
  const onError = (error: unknown) => void (lastError = error)
  const client = openClient(parseRedisAddress(readModelUrl), { onError, onLost: ignore, onReady: ignore })
  const look = async () => {
    await client.connect()
    return Promise.all((await client.nodes()).map(inspectNode))
  }
  try {
    return await withTimeout(look(), deadlineMs, 'the answer of Redis')
  } catch (error) {
    // What the client has run into says more than that there was no answer.
    throw lastError ?? error
  } finally {
    client.destroy()
  }
}
