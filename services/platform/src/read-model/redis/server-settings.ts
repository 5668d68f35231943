import { textOf } from './client.ts'
import type { Connection } from './connection.ts'

const oldestMajor = 7

const settingIn = (info: string, name: string): string | undefined =>
  info
    .split(/\r?\n/)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)

/** Why a server with this INFO cannot hold read models; undefined if it can. */
export const unfitBecause = (info: string): string | undefined => {
  const version = settingIn(info, 'redis_version') ?? 'of unknown version'
  if (!(Number.parseInt(version, 10) >= oldestMajor))
    return `this Redis is ${version}; ${oldestMajor} or newer is needed`
  const policy = settingIn(info, 'maxmemory_policy') ?? 'noeviction'
  const isBounded = settingIn(info, 'maxmemory') !== '0'
  // The volatile-… policies evict only keys with a time to live, and there are none.
  if (isBounded && policy.startsWith('allkeys')) {
    return `this Redis throws keys away when it is full (${policy}); set maxmemory-policy to noeviction`
  }
  return undefined
}

/**
 * Why a failover of a primary with this `INFO replication` could lose writes; undefined if it cannot. Redis reports the number of good
 * replicas only if it requires some.
 */
export const lossyReplicationOf = (info: string): string | undefined => {
  const hasReplica = settingIn(info, 'role') === 'master' && Number(settingIn(info, 'connected_slaves') ?? '0') > 0
  if (!hasReplica || settingIn(info, 'min_slaves_good_slaves') !== undefined) return undefined
  return 'a failover of this Redis can lose writes that were acknowledged; set min-replicas-to-write to 1'
}

/** Rejects servers that evict keys, because read models would silently lose data. */
export const rejectUnfitServers = async (connection: Connection): Promise<void> => {
  for (const send of await connection.nodes()) {
    const info = await Promise.all(['server', 'memory'].map((section) => send(['INFO', section])))
    const reason = unfitBecause(info.map(textOf).join('\n'))
    if (reason !== undefined) throw new Error(`READ_MODEL_URL: ${reason}`)
  }
}
