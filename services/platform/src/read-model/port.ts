import type { Json } from '../event-store/port.ts'

/**
 * The read-model port: documents and ordered lists in partitions. They are written together with the projection's position. SPEC.md
 * numbers the rules.
 *
 * A partition is the unit of atomicity (a hash tag on Redis Cluster). A projection's position in a partition is the `position` of the last
 * bus message that it applied there. Positions sort as text in log order.
 */

/** `add` sets the entry of a member, replacing an older one. Scores are integers, unique in their list. */
export type Write =
  | { readonly op: 'put'; readonly collection: string; readonly key: string; readonly value: Json }
  | { readonly op: 'delete'; readonly collection: string; readonly key: string }
  | { readonly op: 'add'; readonly list: string; readonly member: string; readonly score: number; readonly value: Json }
  | { readonly op: 'remove'; readonly list: string; readonly member: string }
  /** Removes the entries whose score is at most `upToScore`. */
  | { readonly op: 'trim'; readonly list: string; readonly upToScore: number }

export type Entry = { readonly member: string; readonly score: number; readonly value: unknown }

export type DocumentRef = { readonly partition: string; readonly collection: string; readonly key: string }

export type Range = {
  /** Inclusive bounds on the score. */
  readonly from?: number
  readonly to?: number
  readonly order: 'ascending' | 'descending'
  /** At most 1,000. */
  readonly limit: number
}

export type Commit = {
  readonly projection: string
  readonly partition: string
  /** The projection's position that the writes were computed from; undefined when it had none. */
  readonly expected: string | undefined
  /** Its position afterwards. */
  readonly position: string
  /** Identifies the message at `position`, so that a later start can check that the log still holds it there. */
  readonly messageId?: string | undefined
  readonly writes: readonly Write[]
}

/** 'fenced': the commit changed nothing, and no commit will until `unfence`. */
export type CommitOutcome = 'committed' | 'conflict' | 'fenced'

/** A projection's position in a partition, with the id of the message there if its commit had one. */
export type PositionId = { readonly position: string; readonly messageId: string | undefined }

/** The contents of a partition at one moment. Partitions with the same contents have the same checksum, in every adapter. */
export type PartitionDigest = {
  /** The projection's position there. */
  readonly position: string | undefined
  readonly documents: number
  readonly entries: number
  readonly checksum: string
}

/** A checksum of each row of a partition, by its name (row-names.ts). The same in every adapter. */
export type PartitionRows = {
  /** The projection's position there. */
  readonly position: string | undefined
  readonly rows: ReadonlyMap<string, string>
}

/** Documents and lists. The cost of each call depends on the size of its result. */
export type ReadStore = {
  /** A random text that identifies the namespace. Positions of different epochs cannot be compared. */
  readonly epoch: string
  /**
   * An opaque text to compare. If it has changed, later reads may not continue earlier ones. It changes with a lost connection, a switch of
   * the generation, or a write of another process to the file.
   */
  lineage(): string
  get(ref: DocumentRef): Promise<unknown>
  /** In the order of `refs`; undefined for a missing document. At most 10,000 at once. */
  getMany(refs: readonly DocumentRef[]): Promise<readonly unknown[]>
  entry(partition: string, list: string, member: string): Promise<Entry | undefined>
  /** Entries of several lists of one partition, in the order of `lists`. At most 1,000 at once. */
  entries(
    partition: string,
    lists: readonly { readonly list: string; readonly member: string }[],
  ): Promise<readonly (Entry | undefined)[]>
  range(partition: string, list: string, range: Range): Promise<readonly Entry[]>
}

/** The writes of a projection. */
export type ProjectionWriter = {
  /** Applies all writes and the position, or nothing if the position is not `expected`. */
  commit(commit: Commit): Promise<CommitOutcome>
  /**
   * Returns the outcome of each commit, as `commit` would. Cheaper if the adapter can write them together. After a rejection the positions
   * show which commits were applied.
   */
  commitAll(commits: readonly Commit[]): Promise<readonly CommitOutcome[]>
  /** Writes a document outside any projection's position. Only for documents that never change. */
  putImmutable(ref: DocumentRef, value: Json): Promise<void>
}

/** The progress of projections and consumers. */
export type Checkpoints = {
  /** The projection's position in the partition. */
  position(projection: string, partition: string): Promise<string | undefined>
  /** The projection's position in each partition that has one. */
  positions(projection: string): Promise<Readonly<Record<string, string>>>
  /** As `positions`, each with the `messageId` of the commit that moved it there. */
  positionIds(projection: string): Promise<Readonly<Record<string, PositionId>>>
  /** Resolves true once the projection's position there is at least `position`, false after `timeoutMs`. */
  whenApplied(projection: string, partition: string, position: string, timeoutMs: number): Promise<boolean>
  /**
   * A consumer's low-water mark for each bus partition: everything up to it has been committed. An 'observer' does not consume, so it may
   * read the cursors of a read model that went back.
   */
  loadCursors(consumer: string, as?: 'observer'): Promise<Readonly<Record<string, string>>>
  saveCursor(consumer: string, busPartition: string, cursor: string): Promise<void>
}

/** For operations and replays, not for requests. */
export type Maintenance = {
  /** Every partition that has had a commit, in any order. */
  partitions(): Promise<readonly string[]>
  /** The contents of a partition and the projection's position there, at one moment. */
  digest(projection: string, partition: string): Promise<PartitionDigest>
  /** Every row of a partition, at one moment. */
  rows(projection: string, partition: string): Promise<PartitionRows>
  /**
   * Once it resolves, commits of all processes return 'fenced' and change nothing. Cursors and immutable documents can still be written,
   * and everything can be read.
   */
  fence(): Promise<void>
  unfence(): Promise<void>
  /**
   * Accepts the older data of the server after a ReadModelWentBackError. Call it while no message is being handled. The consumer then
   * consumes again from the stored cursors.
   */
  acceptOlder(): void
  check(): Promise<void>
  close(): Promise<void>
}

/** Implemented by adapters. Other code depends on the parts that it needs. */
export type ReadModel = ReadStore & ProjectionWriter & Checkpoints & Maintenance
