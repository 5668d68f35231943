import { textOf } from './client.ts'
import type { Connection } from './connection.ts'

const oldestMajor = 7

const settingIn = (info: string, name: string): string | undefined =>
  info
    .split(/\r?\n/)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)

/** What is wrong with a server that answers INFO so, if anything. */
export const unfitBecause = (info: string): string | undefined => {
  const version = settingIn(info, 'redis_version') ?? 'of unknown version'
  if (!(Number.parseInt(version, 10) >= oldestMajor))
    return `this Redis is ${version}; ${oldestMajor} or newer is needed`
  const policy = settingIn(info, 'maxmemory_policy') ?? 'noeviction'
  const isBounded = settingIn(info, 'maxmemory') !== '0'
  // Those named volatile-… throw away only keys with a time to live, and there are none.
  if (isBounded && policy.startsWith('allkeys')) {
    return `this Redis throws keys away when it is full (${policy}); set maxmemory-policy to noeviction`
  }
  return undefined
}

/**
 * What a failover could lose on a primary that answers `INFO replication` so, if anything. Redis names the replicas that are good
 * enough only where it requires some.
 */
export const lossyReplicationOf = (info: string): string | undefined => {
  const hasReplica = settingIn(info, 'role') === 'master' && Number(settingIn(info, 'connected_slaves') ?? '0') > 0
  if (!hasReplica || settingIn(info, 'min_slaves_good_slaves') !== undefined) return undefined
  return 'a failover of this Redis can lose writes that were acknowledged; set min-replicas-to-write to 1'
}

/** A server that made room by throwing keys away would leave read models with holes that nobody can see. */
export const rejectUnfitServers = async (connection: Connection): Promise<void> => {
  for (const send of await connection.nodes()) {
    const info = await Promise.all(['server', 'memory'].map((section) => send(['INFO', section])))
    const reason = unfitBecause(info.map(textOf).join('\n'))
    if (reason !== undefined) throw new Error(`READ_MODEL_URL: ${reason}`)
  }
}
