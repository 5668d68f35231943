import type { Json } from '../event-store/port.ts'

/**
 * The read-model port: documents and ordered lists, spread over partitions, written together with the projection's
 * position. SPEC.md numbers the rules.
 *
 * A partition is the unit of atomicity (a hash tag on Redis Cluster). A projection's position in a partition is the
 * `position` of the last bus message it applied there; text order is log order.
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

/** 'sealed': nothing was changed, and nothing will be until the read model is unsealed. */
export type CommitOutcome = 'committed' | 'conflict' | 'sealed'

/** A projection's position in a partition, with the id of the message there where its commit named one. */
export type PositionId = { readonly position: string; readonly messageId: string | undefined }

/** What a partition holds, at one moment. Two partitions with the same contents have the same checksum, in every adapter. */
export type PartitionDigest = {
  /** The projection's position there. */
  readonly position: string | undefined
  readonly documents: number
  readonly entries: number
  readonly checksum: string
}

export type ReadModel = {
  /** A random text given to the namespace when it was made: whoever finds another one finds another history. */
  readonly epoch: string
  /**
   * Compare only. Another text than before: what is read from now on may not continue what was read before, because the connection
   * was lost, another generation serves, or somebody else has written to the file.
   */
  lineage(): string
  /** Applies all writes and the position, or, when the position is not `expected`, nothing. */
  commit(commit: Commit): Promise<CommitOutcome>
  /**
   * Several commits, each answered as `commit` would: cheaper than one by one where the adapter can write them together. After
   * a rejection the positions tell which of them were applied.
   */
  commitAll(commits: readonly Commit[]): Promise<readonly CommitOutcome[]>
  /** How far the projection is in that partition. */
  position(projection: string, partition: string): Promise<string | undefined>
  /** Resolves true once the projection's position there is at least `position`, false after `timeoutMs`. */
  whenApplied(projection: string, partition: string, position: string, timeoutMs: number): Promise<boolean>

  /** Writes a document outside any projection's position. Only for what never changes once written. */
  putImmutable(ref: DocumentRef, value: Json): Promise<void>

  get(ref: DocumentRef): Promise<unknown>
  /** In the order asked; undefined where there is none. At most 10,000 at once. */
  getMany(refs: readonly DocumentRef[]): Promise<readonly unknown[]>
  entry(partition: string, list: string, member: string): Promise<Entry | undefined>
  range(partition: string, list: string, range: Range): Promise<readonly Entry[]>
  /** The entries of several lists of one partition and one range each, in the order asked. At most 1,000 at once. */
  entries(
    partition: string,
    lists: readonly { readonly list: string; readonly member: string }[],
  ): Promise<readonly (Entry | undefined)[]>

  /**
   * A consumer's low-water mark per bus partition: everything up to it has been committed. 'observer': the caller does not consume
   * from there, so older data of the read model do not keep it from anything.
   */
  loadCursors(consumer: string, as?: 'observer'): Promise<Readonly<Record<string, string>>>
  saveCursor(consumer: string, busPartition: string, cursor: string): Promise<void>

  /** Every partition that anything was committed to, in any order; for operations, not for serving. */
  partitions(): Promise<readonly string[]>
  /** The projection's position in each partition where it has one. */
  positions(projection: string): Promise<Readonly<Record<string, string>>>
  /** As `positions`, each with the `messageId` of the commit that moved it there. */
  positionIds(projection: string): Promise<Readonly<Record<string, PositionId>>>
  /** The contents of a partition and the projection's position there, of one moment. */
  digest(projection: string, partition: string): Promise<PartitionDigest>
  /**
   * Once it resolves, no commit is applied any more, whoever makes it: each is answered 'sealed'. Cursors and immutable documents
   * can still be written, everything can be read.
   */
  seal(): Promise<void>
  unseal(): Promise<void>

  /**
   * After a ReadModelWentBackError: what was seen before no longer counts, so that commits can follow what the server holds now.
   * For a moment in which no message is being handled; then the consumer reads again from the stored cursors.
   */
  acceptOlder(): void

  check(): Promise<void>
  close(): Promise<void>
}
