import { createRunningState } from '../async/running-state.ts'
import { ReadModelUnavailableError } from './errors.ts'
import type { ReadModel } from './port.ts'
import { createPositionWaiters } from './position-waiters.ts'
import { parseRedisAddress } from './redis/address.ts'
import { prepareCheckpoints } from './redis/checkpoints.ts'
import { subscribeToCommits } from './redis/commit-notifications.ts'
import { openConnection } from './redis/connection.ts'
import { DataLossGuard } from './redis/data-loss-guard.ts'
import { namespaceKeys } from './redis/keys.ts'
import { dropNamespace, prepareFence, prepareScans } from './redis/maintenance.ts'
import { openNamespace, type PartitionRegistry, preparePartitionRegistry } from './redis/partition-registry.ts'
import { prepareRead } from './redis/read.ts'
import { rejectUnfitServers } from './redis/server-settings.ts'
import { prepareWrite } from './redis/write.ts'

type Location = { readonly url: string; readonly namespace: string }

/** Poll interval while a caller waits, because commit notifications may be lost. */
const pollMs = 50

const connect = async ({ url, namespace }: Location) => {
  const address = parseRedisAddress(url)
  const keys = namespaceKeys(address.prefix, namespace)
  return { keys, connection: await openConnection(address) }
}

/** Removes a namespace. A process that still has it open can no longer write. */
export const dropRedisReadModel = async (location: Location): Promise<void> => {
  const { keys, connection } = await connect(location)
  try {
    await dropNamespace(connection, keys)
  } finally {
    await connection.close()
  }
}

type RedisReadModelOptions = Location & {
  /**
   * Accepts older data and reports it here. For a namespace whose users compare and set. Without it, the read model rejects older data
   * until `acceptOlder`.
   */
  readonly onOlder?: ((what: string) => void) | undefined
  /** On a cluster, `loadCursors` returns the cursor saved this long ago. */
  readonly cursorsTrailMs?: number
}

const defaultTrailMs = 120_000

const openGuarded = async ({ url, namespace, onOlder }: RedisReadModelOptions) => {
  const { keys, connection } = await connect({ url, namespace })
  try {
    await rejectUnfitServers(connection)
    const epoch = await openNamespace(connection, keys, namespace)
    const onForget = () => registry.clear()
    const guard: DataLossGuard = new DataLossGuard({ connection, keys, namespace, epoch, onOlder, onClear: onForget })
    const registry: PartitionRegistry = preparePartitionRegistry(connection, keys, guard)
    return { keys, connection, guard, registry }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Rejects a call once the read model is closed. */
type Guarded = <Given extends readonly unknown[], Answer>(
  call: (...given: Given) => Promise<Answer>,
) => (...given: Given) => Promise<Answer>

/** A read model in Redis, on one server or a cluster. The address holds the whole configuration (redis/address.ts). */
export const openRedisReadModel = async (options: RedisReadModelOptions): Promise<ReadModel> => {
  const { keys, connection, guard, registry } = await openGuarded(options)
  // The cursors of a namespace with `onOlder` do not refer to data of this read model.
  const trails = connection.isCluster && options.onOlder === undefined
  const trailMs = trails ? (options.cursorsTrailMs ?? defaultTrailMs) : 0
  const checkpoints = prepareCheckpoints(connection, keys, guard, trailMs)
  const waiters = createPositionWaiters(checkpoints.position, pollMs)
  const notifications = subscribeToCommits(connection, keys, waiters.applied)
  const writer = prepareWrite(connection, keys, guard, registry, ({ projection, partition, position }) =>
    waiters.applied(projection, partition, position),
  )
  const { fence, unfence } = prepareFence(connection, keys, guard, checkpoints.announced)
  const running = createRunningState(() => new ReadModelUnavailableError('The read model is closed'))
  const guarded: Guarded =
    (call) =>
    async (...given) => {
      running.assertRunning()
      return call(...given)
    }
  const read = prepareRead(connection, keys, guard)
  const scans = prepareScans(connection, keys, guard)
  return {
    epoch: guard.epoch,
    lineage: () => `${guard.epoch} ${connection.lostConnections}`,
    get: guarded(read.get),
    getMany: guarded(read.getMany),
    entry: guarded(read.entry),
    entries: guarded(read.entries),
    range: guarded(read.range),
    position: guarded(checkpoints.position),
    positions: guarded(checkpoints.positions),
    positionIds: guarded(checkpoints.positionIds),
    whenApplied: guarded(async (projection, partition, position, timeoutMs) => {
      notifications.follow(partition)
      return waiters.wait(projection, partition, position, timeoutMs)
    }),
    loadCursors: guarded(checkpoints.loadCursors),
    saveCursor: guarded(checkpoints.saveCursor),
    commit: guarded(writer.commit),
    commitAll: guarded(writer.commitAll),
    putImmutable: guarded(writer.putImmutable),
    partitions: guarded(checkpoints.partitions),
    digest: guarded(scans.digest),
    rows: guarded(scans.rows),
    fence: guarded(fence),
    unfence: guarded(unfence),
    acceptOlder: () => guard.acceptOlder(),
    check: guarded(() => guard.check()),
    async close() {
      if (!running.stop()) return
      waiters.close()
      notifications.close()
      await connection.close()
    },
  }
}
