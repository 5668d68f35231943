import { type PartitionBuffer, createPartitionBuffer } from './partition-buffer.ts'
import { checkAtMost, checkCommit, readModelLimits } from '../read-model/limits.ts'
import type { Json } from '../event-store/port.ts'
import type { ProjectionData } from '../projection/projection.ts'
import type { Commit, CommitOutcome, DocumentRef, Entry, Range, ReadModel } from '../read-model/port.ts'

type RebuildBuffer = ProjectionData & {
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

/** The contents in memory, and the writes to the target. */
class WriteBuffer implements RebuildBuffer {
  readonly #target: ReadModel
  readonly #limits: BufferLimits
  #buffers = new Map<string, PartitionBuffer>()
  #progress = new Map<string, Progress>()
  readonly #immutable = new Map<string, { readonly ref: DocumentRef; readonly value: Json }>()
  /** Everything in the target is also in memory, so unknown rows do not exist. */
  #isComplete: boolean
  #writesInFlight = 0
  #failure: { readonly error: unknown } | undefined
  #commitsSinceCheck = 0

  constructor(target: ReadModel, limits: BufferLimits, isTargetEmpty: boolean) {
    this.#target = target
    this.#limits = limits
    this.#isComplete = isTargetEmpty
  }

  get epoch(): string {
    return this.#target.epoch
  }

  /** Bound, because callers pass it on without the buffer. */
  readonly lineage = (): string => this.#target.lineage()

  async position(projection: string, partition: string): Promise<string | undefined> {
    return (await this.#progressOf(projection, partition)).position
  }

  async get(ref: DocumentRef): Promise<unknown> {
    const found = this.#known(ref)
    if (found !== undefined) return found.value
    const value = await this.#target.get(ref)
    this.#bufferOf(ref.partition).remember(ref.collection, ref.key, value)
    return value
  }

  async getMany(refs: readonly DocumentRef[]): Promise<readonly unknown[]> {
    checkAtMost(refs.length, readModelLimits.documentsPerRead, 'Documents')
    const values: unknown[] = []
    // Most are in memory, so create no promise for those.
    for (const ref of refs) values.push((this.#known(ref) ?? { value: await this.get(ref) }).value)
    return values
  }

  async entry(partition: string, list: string, member: string): Promise<Entry | undefined> {
    const buffer = this.#bufferOf(partition)
    const found = buffer.entry(list, member)
    if (found !== undefined) return found === 'absent' ? undefined : found
    return buffer.afterTrims(list, await this.#target.entry(partition, list, member))
  }

  entries(
    partition: string,
    wanted: readonly { readonly list: string; readonly member: string }[],
  ): Promise<readonly (Entry | undefined)[]> {
    checkAtMost(wanted.length, readModelLimits.entriesPerRead, 'Entries')
    return Promise.all(wanted.map(({ list, member }) => this.entry(partition, list, member)))
  }

  async range(partition: string, list: string, range: Range): Promise<readonly Entry[]> {
    checkAtMost(range.limit, readModelLimits.entriesPerRange, 'Range')
    const buffered = this.#bufferOf(partition).range(list, range)
    if (buffered !== undefined) return buffered
    await this.#writeAll((name) => name === partition)
    return this.#target.range(partition, list, range)
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    checkCommit(commit)
    const { projection, partition, expected, position, messageId, writes } = commit
    const own = await this.#progressOf(projection, partition)
    if (own.position !== expected) return 'conflict'
    const buffer = this.#bufferOf(partition)
    if (buffer.pending + writes.length > readModelLimits.writesPerCommit) {
      await this.#writePartition(partition, projection, own)
    }
    buffer.apply(writes)
    own.position = position
    own.messageId = messageId
    if (buffer.pending >= this.#limits.writesPerPartition) void this.#writePartition(partition, projection, own)
    // Counting the rows is too slow for every commit.
    if (++this.#commitsSinceCheck >= Math.min(256, Math.ceil(this.#limits.rows / 100))) {
      this.#commitsSinceCheck = 0
      await this.#keepWithinLimits()
    }
    return 'committed'
  }

  async putImmutable(ref: DocumentRef, value: Json): Promise<void> {
    if ((await this.get(ref)) !== undefined) return
    this.#immutable.set(`${ref.partition}\0${ref.collection}\0${ref.key}`, { ref, value })
    this.#bufferOf(ref.partition).remember(ref.collection, ref.key, value)
    if (this.#immutable.size >= this.#limits.writesPerPartition) await this.#writeImmutable()
  }

  async flush(): Promise<void> {
    await this.#writeImmutable()
    await this.#writeAll(() => true)
  }

  #bufferOf(partition: string): PartitionBuffer {
    const known = this.#buffers.get(partition)
    if (known !== undefined) return known
    const buffer = createPartitionBuffer(this.#isComplete)
    this.#buffers.set(partition, buffer)
    return buffer
  }

  async #progressOf(projection: string, partition: string): Promise<Progress> {
    const key = `${projection}\0${partition}`
    const known = this.#progress.get(key)
    if (known) return known
    const position = this.#isComplete ? undefined : await this.#target.position(projection, partition)
    const found = this.#progress.get(key) ?? {
      position,
      messageId: undefined,
      written: position,
      writing: Promise.resolve(),
    }
    this.#progress.set(key, found)
    return found
  }

  #known({ partition, collection, key }: DocumentRef): { readonly value: unknown } | undefined {
    const found = this.#bufferOf(partition).document(collection, key)
    return found === 'absent' ? { value: undefined } : found
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** Writes the pending changes of these partitions, so that reads can go to the target. */
  async #writeAll(isWanted: (partition: string) => boolean): Promise<void> {
    const wanted = [...this.#progress].flatMap(([key, own]) => {
      const [projection = '', partition = ''] = key.split('\0')
      return isWanted(partition) ? [this.#writePartition(partition, projection, own)] : []
    })
    await Promise.all(wanted)
    this.#throwFailure()
  }

  async #writeImmutable(): Promise<void> {
    const pending = [...this.#immutable.values()]
    this.#immutable.clear()
    await Promise.all(pending.map(({ ref, value }) => this.#target.putImmutable(ref, value)))
  }

  /** Writes the partition's pending changes in one commit. */
  #writePartition(partition: string, projection: string, own: Progress): Promise<void> {
    const { written: expected, position, messageId } = own
    if (position === undefined || position === expected) return own.writing
    const writes = this.#bufferOf(partition).take()
    own.written = position
    this.#writesInFlight += writes.length
    own.writing = this.#commitAfter(own.writing, { projection, partition, expected, position, messageId, writes })
    return own.writing
  }

  /** Commits of one partition run in order. Never rejects: the next step of the rebuild rejects with the error. */
  async #commitAfter(before: Promise<void>, commit: Commit): Promise<void> {
    await before
    try {
      this.#throwFailure()
      const outcome = await this.#target.commit(commit)
      if (outcome !== 'committed')
        throw new Error(`A commit of a rebuild to '${commit.partition}' was answered '${outcome}'`)
    } catch (error) {
      this.#failure ??= { error }
    } finally {
      this.#writesInFlight -= commit.writes.length
    }
  }

  async #keepWithinLimits(): Promise<void> {
    this.#throwFailure()
    let rows = this.#immutable.size
    for (const buffer of this.#buffers.values()) rows += buffer.rows
    if (rows > this.#limits.rows) {
      await this.flush()
      this.#buffers = new Map()
      this.#progress = new Map()
      this.#isComplete = false
    } else if (this.#writesInFlight > this.#limits.writesInFlight) {
      await Promise.race([...this.#progress.values()].map(({ writing }) => writing))
    }
  }
}

/**
 * Buffers the commits of a rebuild and writes them as a few large ones: of many versions of a document only the last. The namespace must
 * have no other writer. After a crash the rebuild can continue from the positions in the target, because each commit is atomic.
 */
export const createRebuildBuffer = async (
  target: ReadModel,
  limits: BufferLimits = defaultBufferLimits,
): Promise<RebuildBuffer> => new WriteBuffer(target, limits, (await target.partitions()).length === 0)
