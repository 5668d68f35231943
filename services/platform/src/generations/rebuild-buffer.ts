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

/** A projection's progress in a partition: as committed, and as written to the target or on its way there. */
type Progress = {
  position: string | undefined
  messageId: string | undefined
  written: string | undefined
  writing: Promise<void>
}

type Waiting = {
  readonly immutable: Map<string, { readonly ref: DocumentRef; readonly value: Json }>
  readonly cursors: Map<string, readonly [consumer: string, busPartition: string, cursor: string]>
}

/** Everything that is held in memory, and how it gets to the target. */
class BufferState {
  readonly target: ReadModel
  readonly limits: BufferLimits
  #buffers = new Map<string, PartitionBuffer>()
  #progress = new Map<string, Progress>()
  #waiting: Waiting = { immutable: new Map(), cursors: new Map() }
  /** Everything that the target holds is held here too: what is not known here does not exist. */
  #isComplete: boolean
  #writesUnderWay = 0
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
    if (buffer.waiting + writes.length > readModelLimits.writesPerCommit) {
      await this.#writePartition(partition, projection, own)
    }
    buffer.apply(writes)
    own.position = position
    own.messageId = messageId
    if (buffer.waiting >= this.limits.writesPerPartition) void this.#writePartition(partition, projection, own)
    // Adding up what is held is too slow for every commit.
    if (++this.#commitsSinceCheck >= Math.min(256, Math.ceil(this.limits.rows / 100))) {
      this.#commitsSinceCheck = 0
      await this.#keepWithinLimits()
    }
    return 'committed'
  }

  async putImmutable(ref: DocumentRef, value: Json): Promise<void> {
    const { immutable } = this.#waiting
    immutable.set(`${ref.partition}\0${ref.collection}\0${ref.key}`, { ref, value })
    this.bufferOf(ref.partition).know(ref.collection, ref.key, value)
    if (immutable.size >= this.limits.writesPerPartition) await this.#writeImmutable()
  }

  saveCursor(consumer: string, busPartition: string, cursor: string): void {
    this.#waiting.cursors.set(`${consumer}\0${busPartition}`, [consumer, busPartition, cursor])
  }

  /** Writes what waits of one partition, so that the target can answer for it. */
  async flushPartition(partition: string): Promise<void> {
    const own = this.#places().filter(([, at]) => at === partition)
    await Promise.all(own.map(([projection, at, of]) => this.#writePartition(at, projection, of)))
    this.throwFailure()
  }

  async flush(): Promise<void> {
    const cursors = [...this.#waiting.cursors.values()]
    this.#waiting.cursors.clear()
    await this.#writeImmutable()
    await Promise.all(
      this.#places().map(([projection, partition, own]) => this.#writePartition(partition, projection, own)),
    )
    this.throwFailure()
    for (const [consumer, busPartition, cursor] of cursors) await this.target.saveCursor(consumer, busPartition, cursor)
  }

  #places(): readonly (readonly [projection: string, partition: string, Progress])[] {
    return [...this.#progress].map(([key, own]) => {
      const [projection = '', partition = ''] = key.split('\0')
      return [projection, partition, own]
    })
  }

  async #writeImmutable(): Promise<void> {
    const waiting = [...this.#waiting.immutable.values()]
    this.#waiting.immutable.clear()
    await Promise.all(waiting.map(({ ref, value }) => this.target.putImmutable(ref, value)))
  }

  /** The partition's writes, in one commit of the projection that is ahead of what is written. */
  #writePartition(partition: string, projection: string, own: Progress): Promise<void> {
    const { written: expected, position, messageId } = own
    if (position === undefined || position === expected) return own.writing
    const writes = this.bufferOf(partition).take()
    own.written = position
    this.#writesUnderWay += writes.length
    own.writing = this.#commitAfter(own.writing, { projection, partition, expected, position, messageId, writes })
    return own.writing
  }

  /** Commits of one partition follow each other. Never rejects: the next step of the rebuild rejects with the failure. */
  async #commitAfter(before: Promise<void>, commit: Commit): Promise<void> {
    await before
    try {
      this.throwFailure()
      const outcome = await this.target.commit(commit)
      if (outcome !== 'committed') throw new Error(`A rebuild's commit to '${commit.partition}' met '${outcome}'`)
    } catch (error) {
      this.#failure ??= { error }
    } finally {
      this.#writesUnderWay -= commit.writes.length
    }
  }

  async #keepWithinLimits(): Promise<void> {
    this.throwFailure()
    let rows = this.#waiting.immutable.size
    for (const buffer of this.#buffers.values()) rows += buffer.rows
    if (rows > this.limits.rows) {
      await this.flush()
      this.#buffers = new Map()
      this.#progress = new Map()
      this.#isComplete = false
    } else if (this.#writesUnderWay > this.limits.writesUnderWay) {
      await Promise.race(this.#places().map(([, , own]) => own.writing))
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
    state.bufferOf(ref.partition).know(ref.collection, ref.key, value)
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
      const held = state.bufferOf(partition).range(list, range)
      if (held) return held
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
 * Gathers the commits of a rebuild and writes them in large ones: of a thousand versions of a document only the last, in as many
 * commits as there are partitions. For a namespace that has no other writer. What a crash loses is rebuilt from the positions that
 * the target holds, because each of its commits is whole.
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
