import { performance } from 'node:perf_hooks'
import { ReadModelEmptiedError, ReadModelUnavailableError, ReadModelWentBackError } from '../errors.ts'
import { textOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'
import { type ProgressComparison, type ProgressTracker, createProgressTracker } from './progress-tracker.ts'

/** Each attempt ends with another lost connection. */
const maxCompareAttempts = 5

type GuardOptions = {
  readonly connection: Connection
  readonly keys: NamespaceKeys
  readonly namespace: string
  readonly epoch: string
  /** Accepts older data and reports it here. Without it, reads and writes of a consumer are rejected until `acceptOlder`. */
  readonly onOlder: ((what: string) => void) | undefined
  /** Called when all cached progress has become invalid. */
  readonly onClear: () => void
}

/**
 * Detects that the server has lost data which this connection has seen. After each lost connection it may be another server, or the same
 * one with older data. So nothing is written until all known positions and cursors have been compared.
 */
export class DataLossGuard {
  readonly #options: GuardOptions
  readonly #progress: ProgressTracker
  readonly #confirming = new Map<string, Promise<void>>()
  /** The value of `lostConnections` at the last check of the marker, and at the last comparison of all progress. */
  #checked: number | undefined
  #compared: number | undefined
  #checking: Promise<void> | undefined
  #comparing: Promise<void> | undefined
  /** A consumer of this process writes the read model, and goes back when it does. */
  #hasConsumer = false
  #accepted = 0
  #emptied: ReadModelEmptiedError | undefined
  #older: ReadModelWentBackError | undefined

  constructor(options: GuardOptions) {
    const { connection, keys, epoch } = options
    this.#options = options
    this.#progress = createProgressTracker(connection, keys, epoch)
    this.#checked = connection.lostConnections
    this.#compared = connection.lostConnections
    connection.onReady(() => {
      // The next write or check reports a failure.
      if (this.#emptied === undefined && this.#compared !== connection.lostConnections)
        this.#compare().catch(() => undefined)
    })
  }

  get epoch(): string {
    return this.#options.epoch
  }

  /** Call it before each write. Returns the `Connection.lostConnections` to write with. Rejects while writes are not allowed. */
  beforeWrite(): number | Promise<number> {
    this.#hasConsumer = true
    this.#throwIfNotWritable()
    return this.#compared === this.#options.connection.lostConnections ? this.#compared : this.#ensureCompared()
  }

  /** Call it before each read. Undefined if the read may be sent at once. Rejects for a consumer while writes are not allowed. */
  beforeRead(): Promise<void> | undefined {
    const { connection } = this.#options
    this.#throwIfEmptied()
    // On a cluster the rest of the data stays readable until the rebuild.
    if (!this.#hasConsumer || connection.isCluster)
      return this.#checked === connection.lostConnections ? undefined : this.#checkMarker()
    if (this.#older !== undefined) throw this.#older
    return this.#compared === connection.lostConnections ? undefined : this.#ensureCompared().then(() => undefined)
  }

  /** Call it after an empty reply. Rejects if the partition has lost its data. */
  confirmEmpty(partition: string): Promise<void> {
    // A check in progress may be shared, because it was sent to the same node.
    const known = this.#confirming.get(partition)
    if (known !== undefined) return known
    const confirming = this.#confirm(partition).finally(() => this.#confirming.delete(partition))
    this.#confirming.set(partition, confirming)
    return confirming
  }

  /** Like `confirmEmpty`, for the whole namespace. */
  confirmNamespace(): Promise<void> {
    return this.#verifyMarker()
  }

  sawPosition(projection: string, partition: string, position: string): void {
    if (!this.#progress.sawPosition(projection, partition, position)) this.#suspect()
  }

  sawCursor(consumer: string, busPartition: string, cursor: string): void {
    this.#progress.sawCursor(consumer, busPartition, cursor)
  }

  /** Call it if a consumer of this process loads its cursors. Such a consumer goes back when the read model does. */
  onLoadCursors(): void {
    this.#hasConsumer = true
  }

  /** Call it after a conflict. Throws if the position is lower than before. */
  checkPosition(projection: string, partition: string, position: string | undefined): void {
    const highest = this.#progress.highest(projection, partition)
    if (highest === undefined || (position ?? '') >= highest) return
    this.#foundOlder(`${projection} in '${partition}' was at ${highest} and is at ${position ?? 'none'}`)
    this.#throwIfNotWritable()
  }

  /** Call it if a script has found the partition without this epoch. Rejects unless older data is accepted. */
  async partitionGone(partition: string): Promise<void> {
    this.#suspect()
    await this.#ensureCompared()
    await this.#confirm(partition)
    this.#foundOlder(`partition '${partition}' existed before and does not now`)
    this.#throwIfNotWritable()
  }

  /** Marks the namespace as emptied for the rest of this connection. Returns the error to throw. */
  markEmptied(what: string): ReadModelEmptiedError {
    return (this.#emptied ??= new ReadModelEmptiedError(this.#options.namespace, what))
  }

  acceptOlder(): void {
    this.#accepted++
    this.#older = undefined
    this.#clear()
  }

  /** Rejects if the namespace is not the one that was opened, or holds older data. */
  async check(): Promise<void> {
    this.#throwIfEmptied()
    await this.#ensureCompared()
    await this.#verifyMarker()
  }

  #throwIfEmptied(): void {
    if (this.#emptied !== undefined) throw this.#emptied
  }

  #throwIfNotWritable(): void {
    this.#throwIfEmptied()
    if (this.#older !== undefined) throw this.#older
  }

  /** Makes the next write compare again. */
  #suspect(): void {
    this.#compared = undefined
  }

  #clear(): void {
    this.#progress.clear()
    this.#options.onClear()
  }

  #foundOlder(what: string): void {
    const { connection, namespace, onOlder } = this.#options
    // Without a consumer in this process, nothing has to be consumed again.
    if (onOlder === undefined && this.#hasConsumer)
      this.#older ??= new ReadModelWentBackError(namespace, what, !connection.isCluster)
    else {
      this.#clear()
      onOlder?.(what)
    }
  }

  #handle(found: ProgressComparison): void {
    if (found.kind === 'lost') throw this.markEmptied(found.what)
    if (found.kind === 'older') this.#foundOlder(found.what)
  }

  async #verifyMarker(during?: number): Promise<void> {
    const { connection, keys, epoch } = this.#options
    const found = textOf(await connection.send(keys.marker, ['HGET', keys.marker, 'epoch'], during))
    if (found !== epoch) throw this.markEmptied(found === undefined ? 'its marker is gone' : 'it was created again')
  }

  /** Retries the work after a lost connection, up to the timeout of a call. */
  async #onOneConnection(work: (during: number) => Promise<void>): Promise<void> {
    const { connection } = this.#options
    const endsAtMs = performance.now() + connection.deadlineMs
    for (;;) {
      this.#throwIfEmptied()
      const during = connection.lostConnections
      try {
        await work(during)
        return
      } catch (error) {
        if (during === connection.lostConnections || performance.now() >= endsAtMs) throw error
      }
    }
  }

  #checkMarker(): Promise<void> {
    return (this.#checking ??= this.#onOneConnection(async (during) => {
      await this.#verifyMarker(during)
      this.#checked = during
    }).finally(() => (this.#checking = undefined)))
  }

  #compare(): Promise<void> {
    return (this.#comparing ??= this.#onOneConnection(async (during) => {
      await this.#verifyMarker(during)
      this.#checked = during
      const acceptedBefore = this.#accepted
      const found = await this.#progress.compare(during)
      if (this.#accepted === acceptedBefore) this.#handle(found)
      this.#compared = during
    }).finally(() => (this.#comparing = undefined)))
  }

  async #ensureCompared(): Promise<number> {
    const { connection } = this.#options
    for (let attempt = 0; this.#compared !== connection.lostConnections; attempt++) {
      if (attempt === maxCompareAttempts)
        throw new ReadModelUnavailableError('Redis is not available: the connection keeps breaking')
      await this.#compare()
    }
    this.#throwIfNotWritable()
    return connection.lostConnections
  }

  async #hasEpoch(partition: string): Promise<boolean> {
    const { connection, keys, epoch } = this.#options
    const { meta } = keys.of(partition)
    return textOf(await connection.send(meta, ['HGET', meta, 'epoch'])) === epoch
  }

  async #confirm(partition: string): Promise<void> {
    const { connection, keys } = this.#options
    if (await this.#hasEpoch(partition)) return
    const [, begun] = await Promise.all([
      this.#verifyMarker(),
      connection.send(keys.partitions, ['HGET', keys.partitions, partition]),
    ])
    // Another process may have begun it between the two reads.
    if (textOf(begun) !== '1' || (await this.#hasEpoch(partition))) return
    throw this.markEmptied(`partition '${partition}' has lost its data`)
  }
}
