import { createAppliedWaiters } from './applied-waiters.ts'
import { checkAtMost, readModelLimits } from './limits.ts'
import type { ReadModel } from './port.ts'
import { parseRedisAddress } from './redis/address.ts'
import { prepareCommit } from './redis/commit.ts'
import { openConnection } from './redis/connection.ts'
import { prepareDigest } from './redis/digest.ts'
import { type Continuity, watchContinuity } from './redis/continuity.ts'
import { dropNamespace } from './redis/drop.ts'
import { type Enrolment, openNamespace, prepareEnrolment } from './redis/enrolment.ts'
import { namespaceKeys } from './redis/keys.ts'
import { prepareProgress } from './redis/progress.ts'
import { preparePutImmutable } from './redis/put-immutable.ts'
import { prepareRead } from './redis/read.ts'
import { prepareSealing } from './redis/sealing.ts'
import { refuseUnfitServers } from './redis/server-settings.ts'
import { followCommits } from './redis/wake-ups.ts'

type Place = { readonly url: string; readonly namespace: string }

/** While somebody waits: what has been published may be lost. */
const pollMs = 50

const connect = async ({ url, namespace }: Place) => {
  const address = parseRedisAddress(url)
  const keys = namespaceKeys(address.prefix, namespace)
  return { keys, connection: await openConnection(address) }
}

/** Removes a namespace with all that it holds. Nobody may have it open; who has it all the same can write no more. */
export const dropRedisReadModel = async (place: Place): Promise<void> => {
  const { keys, connection } = await connect(place)
  try {
    await dropNamespace(connection, keys)
  } finally {
    await connection.close()
  }
}

export type RedisReadModelOptions = Place & {
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
    const onForget = () => enrolment.forget()
    const continuity: Continuity = watchContinuity({ connection, keys, namespace, epoch, onOlder, onForget })
    const enrolment: Enrolment = prepareEnrolment(connection, keys, continuity)
    return { keys, connection, continuity, enrolment }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** A read model in Redis, on one server or a cluster. The address says all that there is to configure (redis/address.ts). */
export const openRedisReadModel = async (options: RedisReadModelOptions): Promise<ReadModel> => {
  const { keys, connection, continuity, enrolment } = await enter(options)
  // What onOlder is given for speaks of nothing that lies in this read model.
  const trails = connection.isCluster && options.onOlder === undefined
  const read = prepareRead(connection, keys, continuity)
  const progress = prepareProgress(connection, keys, continuity, trails ? (options.cursorsTrailMs ?? usualTrailMs) : 0)
  const sealing = prepareSealing(connection, keys, continuity, progress.announced)
  const digest = prepareDigest(connection, keys, continuity)
  const putImmutable = preparePutImmutable(connection, keys, continuity, enrolment)
  const waiters = createAppliedWaiters(progress.position, pollMs)
  const wakeUps = followCommits(connection, keys, waiters.applied)
  const { commit, commitAll } = prepareCommit(
    connection,
    keys,
    continuity,
    enrolment,
    ({ projection, partition, position }) => waiters.applied(projection, partition, position),
  )
  let closed = false

  const open = () => {
    if (closed) throw new Error('The read model is closed')
  }

  return {
    epoch: continuity.epoch,
    lineage: () => `${continuity.epoch} ${connection.losses}`,
    async commit(change) {
      open()
      return commit(change)
    },
    async commitAll(changes) {
      open()
      return commitAll(changes)
    },
    async position(projection, partition) {
      open()
      return progress.position(projection, partition)
    },
    async whenApplied(projection, partition, position, timeoutMs) {
      open()
      wakeUps.follow(partition)
      return waiters.wait(projection, partition, position, timeoutMs)
    },
    async putImmutable(ref, value) {
      open()
      return putImmutable(ref, value)
    },
    async get(ref) {
      open()
      return read.get(ref)
    },
    async getMany(refs) {
      open()
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      return read.getMany(refs)
    },
    async entry(partition, list, member) {
      open()
      return read.entry(partition, list, member)
    },
    async entries(partition, wanted) {
      open()
      checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
      return read.entries(partition, wanted)
    },
    async range(partition, list, range) {
      open()
      checkAtMost(range.limit, readModelLimits.entriesPerRange, 'Range')
      return read.range(partition, list, range)
    },
    async loadCursors(consumer, as) {
      open()
      return progress.loadCursors(consumer, as)
    },
    async saveCursor(consumer, busPartition, cursor) {
      open()
      return progress.saveCursor(consumer, busPartition, cursor)
    },
    async partitions() {
      open()
      return progress.partitions()
    },
    async positions(projection) {
      open()
      return progress.positions(projection)
    },
    async positionIds(projection) {
      open()
      return progress.positionIds(projection)
    },
    async digest(projection, partition) {
      open()
      return digest(projection, partition)
    },
    async seal() {
      open()
      return sealing.seal()
    },
    async unseal() {
      open()
      return sealing.unseal()
    },
    acceptOlder: () => continuity.acceptOlder(),
    async check() {
      open()
      return continuity.check()
    },
    async close() {
      if (closed) return
      closed = true
      waiters.close()
      wakeUps.close()
      await connection.close()
    },
  }
}
