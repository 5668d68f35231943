import { type PartitionBuffer, createPartitionBuffer } from './partition-buffer.ts'
import { checkAtMost, checkCommit, readModelLimits } from '../read-model/limits.ts'
import type { Json } from '../event-store/port.ts'
import type {
  Checkpoints,
  Commit,
  CommitOutcome,
  DocumentRef,
  Maintenance,
  ProjectionWriter,
  ReadModel,
  ReadStore,
} from '../read-model/port.ts'

type RebuildBuffer = ReadModel & {
  /** Writes everything that is pending. Afterwards the target has all commits and their positions. */
  flush(): Promise<void>
}

export type BufferLimits = {
  /** Maximum documents and entries in memory. Beyond it, the buffer is flushed and cleared. */
  readonly rows: number
  /** Pending writes of a partition that trigger a commit, at most `readModelLimits.writesPerCommit`. */
  readonly writesPerPartition: number
  /** Maximum concurrent writes. Beyond it, commits wait. */
  readonly writesInFlight: number
}
export const defaultBufferLimits: BufferLimits = { rows: 1_000_000, writesPerPartition: 4_000, writesInFlight: 40_000 }

/** A projection's progress in a partition: the position committed here, and the position written to the target. */
type Progress = {
  position: string | undefined
  messageId: string | undefined
  written: string | undefined
  writing: Promise<void>
}

type Pending = {
  readonly immutable: Map<string, { readonly ref: DocumentRef; readonly value: Json }>
  readonly cursors: Map<string, readonly [consumer: string, busPartition: string, cursor: string]>
}

/** The contents in memory, and the writes to the target. */
class BufferState {
  readonly target: ReadModel
  readonly limits: BufferLimits
  #buffers = new Map<string, PartitionBuffer>()
  #progress = new Map<string, Progress>()
  #pending: Pending = { immutable: new Map(), cursors: new Map() }
  /** Everything in the target is also in memory, so unknown rows do not exist. */
  #isComplete: boolean
  #writesInFlight = 0
  #failure: { readonly error: unknown } | undefined
  #commitsSinceCheck = 0

  constructor(target: ReadModel, limits: BufferLimits, isTargetEmpty: boolean) {
    this.target = target
    this.limits = limits
    this.#isComplete = isTargetEmpty
  }

  bufferOf(partition: string): PartitionBuffer {
    const known = this.#buffers.get(partition)
    if (known !== undefined) return known
    const buffer = createPartitionBuffer(this.#isComplete)
    this.#buffers.set(partition, buffer)
    return buffer
  }

  async progressOf(projection: string, partition: string): Promise<Progress> {
    const key = `${projection}\0${partition}`
    const known = this.#progress.get(key)
    if (known) return known
    const position = this.#isComplete ? undefined : await this.target.position(projection, partition)
    const found = this.#progress.get(key) ?? {
      position,
      messageId: undefined,
      written: position,
      writing: Promise.resolve(),
    }
    this.#progress.set(key, found)
    return found
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    checkCommit(commit)
    const { projection, partition, expected, position, messageId, writes } = commit
    const own = await this.progressOf(projection, partition)
    if (own.position !== expected) return 'conflict'
    const buffer = this.bufferOf(partition)
    if (buffer.pending + writes.length > readModelLimits.writesPerCommit) {
      await this.#writePartition(partition, projection, own)
    }
    buffer.apply(writes)
    own.position = position
    own.messageId = messageId
    if (buffer.pending >= this.limits.writesPerPartition) void this.#writePartition(partition, projection, own)
    // Counting the rows is too slow for every commit.
    if (++this.#commitsSinceCheck >= Math.min(256, Math.ceil(this.limits.rows / 100))) {
      this.#commitsSinceCheck = 0
      await this.#keepWithinLimits()
    }
    return 'committed'
  }

  async putImmutable(ref: DocumentRef, value: Json): Promise<void> {
    const { immutable } = this.#pending
    immutable.set(`${ref.partition}\0${ref.collection}\0${ref.key}`, { ref, value })
    this.bufferOf(ref.partition).remember(ref.collection, ref.key, value)
    if (immutable.size >= this.limits.writesPerPartition) await this.#writeImmutable()
  }

  saveCursor(consumer: string, busPartition: string, cursor: string): void {
    this.#pending.cursors.set(`${consumer}\0${busPartition}`, [consumer, busPartition, cursor])
  }

  /** Writes the pending changes of one partition, so that reads can go to the target. */
  async flushPartition(partition: string): Promise<void> {
    const own = this.#entries().filter(([, name]) => name === partition)
    await Promise.all(own.map(([projection, name, progress]) => this.#writePartition(name, projection, progress)))
    this.throwFailure()
  }

  async flush(): Promise<void> {
    const cursors = [...this.#pending.cursors.values()]
    this.#pending.cursors.clear()
    await this.#writeImmutable()
    await Promise.all(
      this.#entries().map(([projection, partition, own]) => this.#writePartition(partition, projection, own)),
    )
    this.throwFailure()
    for (const [consumer, busPartition, cursor] of cursors) await this.target.saveCursor(consumer, busPartition, cursor)
  }

  #entries(): readonly (readonly [projection: string, partition: string, Progress])[] {
    return [...this.#progress].map(([key, own]) => {
      const [projection = '', partition = ''] = key.split('\0')
      return [projection, partition, own]
    })
  }

  async #writeImmutable(): Promise<void> {
    const pending = [...this.#pending.immutable.values()]
    this.#pending.immutable.clear()
    await Promise.all(pending.map(({ ref, value }) => this.target.putImmutable(ref, value)))
  }

  /** Writes the partition's pending changes in one commit. */
  #writePartition(partition: string, projection: string, own: Progress): Promise<void> {
    const { written: expected, position, messageId } = own
    if (position === undefined || position === expected) return own.writing
    const writes = this.bufferOf(partition).take()
    own.written = position
    this.#writesInFlight += writes.length
    own.writing = this.#commitAfter(own.writing, { projection, partition, expected, position, messageId, writes })
    return own.writing
  }

  /** Commits of one partition run in order. Never rejects: the next step of the rebuild rejects with the error. */
  async #commitAfter(before: Promise<void>, commit: Commit): Promise<void> {
    await before
    try {
      this.throwFailure()
      const outcome = await this.target.commit(commit)
      if (outcome !== 'committed')
        throw new Error(`A commit of a rebuild to '${commit.partition}' was answered '${outcome}'`)
    } catch (error) {
      this.#failure ??= { error }
    } finally {
      this.#writesInFlight -= commit.writes.length
    }
  }

  async #keepWithinLimits(): Promise<void> {
    this.throwFailure()
    let rows = this.#pending.immutable.size
    for (const buffer of this.#buffers.values()) rows += buffer.rows
    if (rows > this.limits.rows) {
      await this.flush()
      this.#buffers = new Map()
      this.#progress = new Map()
      this.#isComplete = false
    } else if (this.#writesInFlight > this.limits.writesInFlight) {
      await Promise.race(this.#entries().map(([, , own]) => own.writing))
    }
  }
}

const storeOf = (state: BufferState): ReadStore => {
  const { target } = state
  const known = ({ partition, collection, key }: DocumentRef): { readonly value: unknown } | undefined => {
    const found = state.bufferOf(partition).document(collection, key)
    if (found === undefined) return undefined
    return found === 'absent' ? { value: undefined } : found
  }
  const get = async (ref: DocumentRef): Promise<unknown> => {
    const found = known(ref)
    if (found) return found.value
    const value = await target.get(ref)
    state.bufferOf(ref.partition).remember(ref.collection, ref.key, value)
    return value
  }
  const entry: ReadStore['entry'] = async (partition, list, member) => {
    const buffer = state.bufferOf(partition)
    const found = buffer.entry(list, member)
    if (found !== undefined) return found === 'absent' ? undefined : found
    return buffer.afterTrims(list, await target.entry(partition, list, member))
  }
  return {
    epoch: target.epoch,
    lineage: () => target.lineage(),
    get,
    getMany: async (refs) => {
      checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
      const values: unknown[] = []
      // Most are in memory, so create no promise for those.
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
      const buffered = state.bufferOf(partition).range(list, range)
      if (buffered) return buffered
      await state.flushPartition(partition)
      return target.range(partition, list, range)
    },
  }
}

const writerOf = (state: BufferState, store: ReadStore): ProjectionWriter => ({
  commit: (commit) => state.commit(commit),
  commitAll: async (commits) => {
    const outcomes: CommitOutcome[] = []
    for (const commit of commits) outcomes.push(await state.commit(commit))
    return outcomes
  },
  putImmutable: async (ref, value) => {
    if ((await store.get(ref)) === undefined) await state.putImmutable(ref, value)
  },
})

const checkpointsOf = (state: BufferState): Checkpoints => {
  const { target } = state
  return {
    position: async (projection, partition) => (await state.progressOf(projection, partition)).position,
    positions: afterFlush(state, target.positions),
    positionIds: afterFlush(state, target.positionIds),
    whenApplied: afterFlush(state, target.whenApplied),
    loadCursors: target.loadCursors,
    saveCursor: async (consumer, busPartition, cursor) => state.saveCursor(consumer, busPartition, cursor),
  }
}

const maintenanceOf = (state: BufferState): Maintenance => {
  const { target } = state
  return {
    partitions: afterFlush(state, target.partitions),
    digest: afterFlush(state, target.digest),
    fence: afterFlush(state, target.fence),
    unfence: target.unfence,
    acceptOlder: target.acceptOlder,
    check: async () => {
      state.throwFailure()
      await target.check()
    },
    close: async () => {
      await state.flush()
      await target.close()
    },
  }
}

const afterFlush =
  <Arguments extends readonly unknown[], Answer>(state: BufferState, call: (...given: Arguments) => Promise<Answer>) =>
  async (...given: Arguments): Promise<Answer> => {
    await state.flush()
    return call(...given)
  }

/**
 * Buffers the commits of a rebuild and writes them as a few large ones: of many versions of a document only the last. The namespace must
 * have no other writer. After a crash the rebuild can continue from the positions in the target, because each commit is atomic.
 */
export const createRebuildBuffer = async (
  target: ReadModel,
  limits: BufferLimits = defaultBufferLimits,
): Promise<RebuildBuffer> => {
  const state = new BufferState(target, limits, (await target.partitions()).length === 0)
  const store = storeOf(state)
  return {
    ...store,
    ...writerOf(state, store),
    ...checkpointsOf(state),
    ...maintenanceOf(state),
    flush: () => state.flush(),
  }
}
