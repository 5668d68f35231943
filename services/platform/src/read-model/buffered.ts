import { type PartitionBuffer, createPartitionBuffer } from './buffered/partition-buffer.ts'
import { checkCommit } from './invalid-commit.ts'
import { checkAtMost, readModelLimits } from './limits.ts'
import type { Commit, CommitOutcome, DocumentRef, ReadModel } from './port.ts'

export type BufferedReadModel = ReadModel & {
  /** Writes what waits. Afterwards the target holds all that was committed, at the positions that were committed. */
  flush(): Promise<void>
}

export type BufferLimits = {
  /** Documents and entries held; beyond that what is held is written and forgotten, and read again when needed. */
  readonly rows: number
  /** Writes of a partition that wait before they are written, at most `readModelLimits.writesPerCommit`. */
  readonly writesPerPartition: number
  /** Writes on their way at a time; beyond that commits wait. */
  readonly writesUnderWay: number
}
export const defaultBufferLimits: BufferLimits = { rows: 1_000_000, writesPerPartition: 4_000, writesUnderWay: 40_000 }

/** A projection's progress in a partition: as committed, and as far as it is in the target or on its way there. */
type Progress = {
  position: string | undefined
  messageId: string | undefined
  written: string | undefined
  writing: Promise<void>
}

const progressKey = (projection: string, partition: string): string => `${projection}\0${partition}`

/**
 * Gathers the commits of a rebuild and writes them in large ones: of the thousand versions of a document only the last, in as many
 * commits as there are partitions. For a namespace that nobody else writes to; what a crash takes is rebuilt from the positions
 * that the target holds, as each of its commits is whole.
 */
export const bufferReadModel = async (
  target: ReadModel,
  limits: BufferLimits = defaultBufferLimits,
): Promise<BufferedReadModel> => {
  let buffers = new Map<string, PartitionBuffer>()
  let progress = new Map<string, Progress>()
  let immutable = new Map<
    string,
    { readonly ref: DocumentRef; readonly value: Parameters<ReadModel['putImmutable']>[1] }
  >()
  let cursors = new Map<string, readonly [consumer: string, busPartition: string, cursor: string]>()
  /** Everything that the target holds is held here too: what is not known here does not exist. */
  let isComplete = (await target.partitions()).length === 0
  let underWay = 0
  let failure: { readonly error: unknown } | undefined

  const bufferOf = (partition: string): PartitionBuffer => {
    let buffer = buffers.get(partition)
    if (!buffer) buffers.set(partition, (buffer = createPartitionBuffer(isComplete)))
    return buffer
  }
  const progressOf = async (projection: string, partition: string): Promise<Progress> => {
    const key = progressKey(projection, partition)
    const known = progress.get(key)
    if (known) return known
    const position = isComplete ? undefined : await target.position(projection, partition)
    const found = progress.get(key) ?? {
      position,
      messageId: undefined,
      written: position,
      writing: Promise.resolve(),
    }
    progress.set(key, found)
    return found
  }
  const throwFailure = (): void => {
    if (failure) throw failure.error
  }

  /** Those of one partition one after the other. Never rejects: what goes wrong ends the rebuild at its next step. */
  const commitAfter = async (before: Promise<void>, commit: Commit): Promise<void> => {
    await before
    try {
      throwFailure()
      const outcome = await target.commit(commit)
      if (outcome !== 'committed') throw new Error(`A rebuild's commit to '${commit.partition}' met '${outcome}'`)
    } catch (error) {
      failure ??= { error }
    } finally {
      underWay -= commit.writes.length
    }
  }

  /** The partition's writes, in one commit of the projection that is ahead of what is written. */
  const writePartition = (partition: string, projection: string, own: Progress): Promise<void> => {
    const { written: expected, position, messageId } = own
    if (position === undefined || position === expected) return own.writing
    const writes = bufferOf(partition).take()
    own.written = position
    underWay += writes.length
    own.writing = commitAfter(own.writing, { projection, partition, expected, position, messageId, writes })
    return own.writing
  }

  const writeImmutable = async (): Promise<void> => {
    const waiting = [...immutable.values()]
    immutable = new Map()
    await Promise.all(waiting.map(({ ref, value }) => target.putImmutable(ref, value)))
  }
  const places = (): readonly (readonly [projection: string, partition: string, Progress])[] =>
    [...progress].map(([key, own]) => {
      const [projection = '', partition = ''] = key.split('\0')
      return [projection, partition, own]
    })

  const flush = async (): Promise<void> => {
    const waitingCursors = [...cursors.values()]
    cursors = new Map()
    await writeImmutable()
    await Promise.all(places().map(([projection, partition, own]) => writePartition(partition, projection, own)))
    throwFailure()
    for (const [consumer, busPartition, cursor] of waitingCursors) {
      await target.saveCursor(consumer, busPartition, cursor)
    }
  }

  const forget = (): void => {
    buffers = new Map()
    progress = new Map()
    isComplete = false
  }
  const keepWithinLimits = async (): Promise<void> => {
    throwFailure()
    let rows = immutable.size
    for (const buffer of buffers.values()) rows += buffer.rows
    if (rows > limits.rows) {
      await flush()
      forget()
    } else if (underWay > limits.writesUnderWay) {
      await Promise.race(places().map(([, , own]) => own.writing))
    }
  }

  /** Adding up what is held is not for every commit. */
  const checkEvery = Math.min(256, Math.ceil(limits.rows / 100))
  let commitsSinceCheck = 0
  const commitOne = async (commit: Commit): Promise<CommitOutcome> => {
    checkCommit(commit)
    const { projection, partition, expected, position, messageId, writes } = commit
    const own = await progressOf(projection, partition)
    if (own.position !== expected) return 'conflict'
    const buffer = bufferOf(partition)
    if (buffer.waiting + writes.length > readModelLimits.writesPerCommit) {
      await writePartition(partition, projection, own)
    }
    buffer.apply(writes)
    own.position = position
    own.messageId = messageId
    if (buffer.waiting >= limits.writesPerPartition) void writePartition(partition, projection, own)
    commitsSinceCheck += 1
    if (commitsSinceCheck >= checkEvery) {
      commitsSinceCheck = 0
      await keepWithinLimits()
    }
    return 'committed'
  }

  const known = ({ partition, collection, key }: DocumentRef): { readonly value: unknown } | undefined => {
    const found = bufferOf(partition).document(collection, key)
    if (found === undefined) return undefined
    return found === 'absent' ? { value: undefined } : found
  }
  const get = async (ref: DocumentRef): Promise<unknown> => {
    const found = known(ref)
    if (found) return found.value
    const value = await target.get(ref)
    bufferOf(ref.partition).know(ref.collection, ref.key, value)
    return value
  }
  const entry: ReadModel['entry'] = async (partition, list, member) => {
    const buffer = bufferOf(partition)
    const found = buffer.entry(list, member)
    if (found !== undefined) return found === 'absent' ? undefined : found
    return buffer.afterTrims(list, await target.entry(partition, list, member))
  }
  const flushed = <Arguments extends readonly unknown[], Answer>(call: (...given: Arguments) => Promise<Answer>) => {
    return async (...given: Arguments): Promise<Answer> => {
      await flush()
      return call(...given)
    }
  }

  return {
    epoch: target.epoch,
    acceptOlder: target.acceptOlder,
    lineage: target.lineage,
    commit: commitOne,
    commitAll: async (commits) => {
      const outcomes: CommitOutcome[] = []
      for (const commit of commits) outcomes.push(await commitOne(commit))
      return outcomes
    },
    position: async (projection, partition) => (await progressOf(projection, partition)).position,
    whenApplied: flushed(target.whenApplied),
    putImmutable: async (ref, value) => {
      if ((await get(ref)) !== undefined) return
      immutable.set(`${ref.partition}\0${ref.collection}\0${ref.key}`, { ref, value })
      bufferOf(ref.partition).know(ref.collection, ref.key, value)
      if (immutable.size >= limits.writesPerPartition) await writeImmutable()
    },
    get,
    getMany: async (refs) => {
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      const values: unknown[] = []
      // Most are known: no promise for each of those.
      for (const ref of refs) values.push((known(ref) ?? { value: await get(ref) }).value)
      return values
    },
    entry,
    entries: (partition, wanted) => {
      checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
      return Promise.all(wanted.map(({ list, member }) => entry(partition, list, member)))
    },
    range: async (partition, list, range) => {
      checkAtMost(range.limit, readModelLimits.entriesPerRange, 'Range')
      const held = bufferOf(partition).range(list, range)
      if (held) return held
      // What waits is written first, so that the read model behind can answer.
      const own = places().filter(([, at]) => at === partition)
      await Promise.all(own.map(([projection, at, of]) => writePartition(at, projection, of)))
      throwFailure()
      return target.range(partition, list, range)
    },
    loadCursors: target.loadCursors,
    saveCursor: async (consumer, busPartition, cursor) => {
      cursors.set(`${consumer}\0${busPartition}`, [consumer, busPartition, cursor])
    },
    partitions: flushed(target.partitions),
    positions: flushed(target.positions),
    positionIds: flushed(target.positionIds),
    digest: flushed(target.digest),
    seal: flushed(target.seal),
    unseal: target.unseal,
    check: async () => {
      throwFailure()
      await target.check()
    },
    flush,
    close: async () => {
      await flush()
      await target.close()
    },
  }
}
