import { createAppliedWaiters } from './applied-waiters.ts'
import { checkAtMost, readModelLimits } from './limits.ts'
import type { ReadModel } from './port.ts'
import { parseRedisAddress } from './redis/address.ts'
import { prepareCommit } from './redis/commit.ts'
import { openConnection } from './redis/connection.ts'
import { prepareDigest } from './redis/digest.ts'
import { dropNamespace } from './redis/drop.ts'
import { type Enrolment, openNamespace } from './redis/enrolment.ts'
import { documentRow, namespaceKeys } from './redis/keys.ts'
import { prepareProgress } from './redis/progress.ts'
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

/** A read model in Redis, on one server or a cluster. The address says all that there is to configure (redis/address.ts). */
export const openRedisReadModel = async (place: Place): Promise<ReadModel> => {
  const { keys, connection } = await connect(place)
  let enrolment: Enrolment
  try {
    await refuseUnfitServers(connection)
    enrolment = await openNamespace(connection, keys, place.namespace)
  } catch (error) {
    await connection.close()
    throw error
  }
  const read = prepareRead(connection, keys)
  const progress = prepareProgress(connection, keys, enrolment)
  const sealing = prepareSealing(connection, keys, enrolment, progress.announced)
  const digest = prepareDigest(connection, keys)
  const waiters = createAppliedWaiters(progress.position, pollMs)
  const wakeUps = followCommits(connection, keys, waiters.applied)
  const { commit, commitAll } = prepareCommit(connection, keys, enrolment, ({ projection, partition, position }) =>
    waiters.applied(projection, partition, position),
  )
  let closed = false

  const open = () => {
    if (closed) throw new Error('The read model is closed')
  }

  return {
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
    async putImmutable({ partition, collection, key }, value) {
      open()
      const { rows } = keys.of(partition)
      await connection.send(rows, ['HSETNX', rows, documentRow(collection, key), JSON.stringify(value)])
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
    async loadCursors(consumer) {
      open()
      return progress.loadCursors(consumer)
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
    async check() {
      open()
      return enrolment.check()
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
