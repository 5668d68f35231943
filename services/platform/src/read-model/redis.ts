import { createPositionWaiters, type PositionWaiters } from './position-waiters.ts'
import { ReadModelUnavailableError } from './errors.ts'
import { checkAtMost, readModelLimits } from './limits.ts'
import type { Checkpoints, Commit, Maintenance, ProjectionWriter, ReadModel, ReadStore } from './port.ts'
import { parseRedisAddress } from './redis/address.ts'
import { prepareCommit } from './redis/commit.ts'
import { openConnection } from './redis/connection.ts'
import { prepareDigest } from './redis/digest.ts'
import { type Continuity, watchContinuity } from './redis/continuity.ts'
import { dropNamespace } from './redis/drop.ts'
import { type PartitionRegistry, openNamespace, preparePartitionRegistry } from './redis/partition-registry.ts'
import { namespaceKeys } from './redis/keys.ts'
import { prepareProgress } from './redis/progress.ts'
import { preparePutImmutable } from './redis/put-immutable.ts'
import { prepareRead } from './redis/read.ts'
import { prepareFence } from './redis/fence.ts'
import { refuseUnfitServers } from './redis/server-settings.ts'
import { type CommitNotifications, subscribeToCommits } from './redis/commit-notifications.ts'

type Location = { readonly url: string; readonly namespace: string }

/** While somebody waits: what has been published may be lost. */
const pollMs = 50

const connect = async ({ url, namespace }: Location) => {
  const address = parseRedisAddress(url)
  const keys = namespaceKeys(address.prefix, namespace)
  return { keys, connection: await openConnection(address) }
}

/** Removes a namespace with all that it holds. Nobody may have it open; who has it all the same can write no more. */
export const dropRedisReadModel = async (location: Location): Promise<void> => {
  const { keys, connection } = await connect(location)
  try {
    await dropNamespace(connection, keys)
  } finally {
    await connection.close()
  }
}

export type RedisReadModelOptions = Location & {
  /**
   * For a namespace that nobody rewinds, as its users compare and set, and go on from whatever they find: older data are
   * accepted, and reported here. Without it they are rejected until `acceptOlder`.
   */
  readonly onOlder?: ((what: string) => void) | undefined
  /** How much earlier than the one saved last a cursor is answered on a cluster. */
  readonly cursorsTrailMs?: number
}

const usualTrailMs = 120_000

const enter = async ({ url, namespace, onOlder }: RedisReadModelOptions) => {
  const { keys, connection } = await connect({ url, namespace })
  try {
    await refuseUnfitServers(connection)
    const epoch = await openNamespace(connection, keys, namespace)
    const onForget = () => registry.forget()
    const continuity: Continuity = watchContinuity({ connection, keys, namespace, epoch, onOlder, onForget })
    const registry: PartitionRegistry = preparePartitionRegistry(connection, keys, continuity)
    return { keys, connection, continuity, registry }
  } catch (error) {
    await connection.close()
    throw error
  }
}

type Entered = Awaited<ReturnType<typeof enter>>
type Ensured = () => void

const createStore = ({ keys, connection, continuity }: Entered, ensureOpen: Ensured): ReadStore => {
  const read = prepareRead(connection, keys, continuity)
  return {
    epoch: continuity.epoch,
    lineage: () => `${continuity.epoch} ${connection.losses}`,
    async get(ref) {
      ensureOpen()
      return read.get(ref)
    },
    async getMany(refs) {
      ensureOpen()
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      return read.getMany(refs)
    },
    async entry(partition, list, member) {
      ensureOpen()
      return read.entry(partition, list, member)
    },
    async entries(partition, wanted) {
      ensureOpen()
      checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
      return read.entries(partition, wanted)
    },
    async range(partition, list, range) {
      ensureOpen()
      checkAtMost(range.limit, readModelLimits.entriesPerRange, 'Range')
      return read.range(partition, list, range)
    },
  }
}

const createWriter = (
  { keys, connection, continuity, registry }: Entered,
  ensureOpen: Ensured,
  onCommitted: (commit: Commit) => void,
): ProjectionWriter => {
  const { commit, commitAll } = prepareCommit(connection, keys, continuity, registry, onCommitted)
  const putImmutable = preparePutImmutable(connection, keys, continuity, registry)
  return {
    async commit(change) {
      ensureOpen()
      return commit(change)
    },
    async commitAll(changes) {
      ensureOpen()
      return commitAll(changes)
    },
    async putImmutable(ref, value) {
      ensureOpen()
      return putImmutable(ref, value)
    },
  }
}

type Progress = ReturnType<typeof prepareProgress>

const createCheckpoints = (
  progress: Progress,
  waiters: PositionWaiters,
  notifications: CommitNotifications,
  ensureOpen: Ensured,
): Checkpoints => ({
  async position(projection, partition) {
    ensureOpen()
    return progress.position(projection, partition)
  },
  async positions(projection) {
    ensureOpen()
    return progress.positions(projection)
  },
  async positionIds(projection) {
    ensureOpen()
    return progress.positionIds(projection)
  },
  async whenApplied(projection, partition, position, timeoutMs) {
    ensureOpen()
    notifications.follow(partition)
    return waiters.wait(projection, partition, position, timeoutMs)
  },
  async loadCursors(consumer, as) {
    ensureOpen()
    return progress.loadCursors(consumer, as)
  },
  async saveCursor(consumer, busPartition, cursor) {
    ensureOpen()
    return progress.saveCursor(consumer, busPartition, cursor)
  },
})

const createMaintenance = (
  { keys, connection, continuity }: Entered,
  progress: Progress,
  ensureOpen: Ensured,
  close: Maintenance['close'],
): Maintenance => {
  const { fence, unfence } = prepareFence(connection, keys, continuity, progress.announced)
  const digest = prepareDigest(connection, keys, continuity)
  return {
    async partitions() {
      ensureOpen()
      return progress.partitions()
    },
    async digest(projection, partition) {
      ensureOpen()
      return digest(projection, partition)
    },
    async fence() {
      ensureOpen()
      return fence()
    },
    async unfence() {
      ensureOpen()
      return unfence()
    },
    acceptOlder: () => continuity.acceptOlder(),
    async check() {
      ensureOpen()
      return continuity.check()
    },
    close,
  }
}

/** A read model in Redis, on one server or a cluster. The address holds the whole configuration (redis/address.ts). */
export const openRedisReadModel = async (options: RedisReadModelOptions): Promise<ReadModel> => {
  const entered = await enter(options)
  const { keys, connection, continuity } = entered
  // The cursors of a namespace with `onOlder` do not refer to data of this read model.
  const trails = connection.isCluster && options.onOlder === undefined
  const progress = prepareProgress(connection, keys, continuity, trails ? (options.cursorsTrailMs ?? usualTrailMs) : 0)
  const waiters = createPositionWaiters(progress.position, pollMs)
  const notifications = subscribeToCommits(connection, keys, waiters.applied)
  let isClosed = false
  const ensureOpen = () => {
    if (isClosed) throw new ReadModelUnavailableError('The read model is closed')
  }
  const close = async () => {
    if (isClosed) return
    isClosed = true
    waiters.close()
    notifications.close()
    await connection.close()
  }
  return {
    ...createStore(entered, ensureOpen),
    ...createWriter(entered, ensureOpen, ({ projection, partition, position }) =>
      waiters.applied(projection, partition, position),
    ),
    ...createCheckpoints(progress, waiters, notifications, ensureOpen),
    ...createMaintenance(entered, progress, ensureOpen, close),
  }
}
