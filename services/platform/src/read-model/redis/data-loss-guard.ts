import { performance } from 'node:perf_hooks'
import { ReadModelEmptiedError, ReadModelUnavailableError, ReadModelWentBackError } from '../errors.ts'
import { textOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'
import { type Comparison, type ProgressTracker, createProgressTracker } from './progress-tracker.ts'

/**
 * Whether the server still holds what this connection has seen there. After each lost connection it may be another server, or
 * the same one with older data, so nothing is written before all positions and cursors that were seen have been compared.
 */
export type DataLossGuard = {
  readonly epoch: string
  /** Before each write: the connection that it may be sent on (`Connection.losses`). Rejects while nothing may be written. */
  forWrite(): number | Promise<number>
  /** Undefined when a read may be sent at once. Rejects for whoever writes while nothing may be written. */
  beforeRead(): Promise<void> | undefined
  /** After an empty answer: resolves if the partition holds what was written to it, and is not a part of what was lost. */
  confirmEmpty(partition: string): Promise<void>
  /** The same where no partition is named. */
  confirmNamespace(): Promise<void>
  sawPosition(projection: string, partition: string, position: string): void
  sawCursor(consumer: string, busPartition: string, cursor: string): void
  /** The cursors that were asked for are those of a consumer of this process, which goes back when it must. */
  loadsCursors(): void
  /** After a conflict: rejects if the position is lower than it was. */
  checkPosition(projection: string, partition: string, position: string | undefined): void
  /** A script has found the partition without this epoch. Rejects, unless older data are accepted. */
  partitionGone(partition: string): Promise<void>
  /** What has been found to be gone stays so for this connection. */
  gone(what: string): ReadModelEmptiedError
  acceptOlder(): void
  /** Rejects when the namespace is not the one that was opened, or older. */
  check(): Promise<void>
}

/** Each of them ended by another lost connection. */
const attemptsToSettle = 5

type GuardOptions = {
  readonly connection: Connection
  readonly keys: NamespaceKeys
  readonly namespace: string
  readonly epoch: string
  /** Where given, older data are accepted and reported here; otherwise writes are rejected until `acceptOlder`. */
  readonly onOlder: ((what: string) => void) | undefined
  /** Nothing that was known before holds any longer. */
  readonly onForget: () => void
}

class RedisDataLossGuard implements DataLossGuard {
  readonly #options: GuardOptions
  readonly #progress: ProgressTracker
  readonly #confirming = new Map<string, Promise<void>>()
  /** The connections during which the marker was seen, and everything remembered was compared. */
  #looked: number | undefined
  #compared: number | undefined
  #looking: Promise<void> | undefined
  #settling: Promise<void> | undefined
  /** A consumer of this process goes back when the read model does. */
  #isHolder = false
  #accepted = 0
  #emptied: ReadModelEmptiedError | undefined
  #older: ReadModelWentBackError | undefined

  constructor(options: GuardOptions) {
    const { connection, keys, epoch } = options
    this.#options = options
    this.#progress = createProgressTracker(connection, keys, epoch)
    this.#looked = connection.losses
    this.#compared = connection.losses
    connection.onReady(() => {
      // The next write or check reports a failure.
      if (this.#emptied === undefined && this.#compared !== connection.losses) this.#settle().catch(() => undefined)
    })
  }

  get epoch(): string {
    return this.#options.epoch
  }

  forWrite(): number | Promise<number> {
    this.#isHolder = true
    this.#throwIfNotWritable()
    return this.#compared === this.#options.connection.losses ? this.#compared : this.#settled()
  }

  beforeRead(): Promise<void> | undefined {
    const { connection } = this.#options
    this.#throwIfEmptied()
    // A part of a cluster's data is readable until the rebuild that it needs.
    if (!this.#isHolder || connection.isCluster) return this.#looked === connection.losses ? undefined : this.#look()
    if (this.#older !== undefined) throw this.#older
    return this.#compared === connection.losses ? undefined : this.#settled().then(() => undefined)
  }

  confirmEmpty(partition: string): Promise<void> {
    // One in progress was sent after the empty answer came, to the same node.
    const known = this.#confirming.get(partition)
    if (known !== undefined) return known
    const asking = this.#confirm(partition).finally(() => this.#confirming.delete(partition))
    this.#confirming.set(partition, asking)
    return asking
  }

  confirmNamespace(): Promise<void> {
    return this.#lookAtMarker()
  }

  sawPosition(projection: string, partition: string, position: string): void {
    if (!this.#progress.sawPosition(projection, partition, position)) this.#suspect()
  }

  sawCursor(consumer: string, busPartition: string, cursor: string): void {
    this.#progress.sawCursor(consumer, busPartition, cursor)
  }

  loadsCursors(): void {
    this.#isHolder = true
  }

  checkPosition(projection: string, partition: string, position: string | undefined): void {
    const highest = this.#progress.highest(projection, partition)
    if (highest === undefined || (position ?? '') >= highest) return
    this.#foundOlder(`${projection} in '${partition}' was at ${highest} and is at ${position ?? 'none'}`)
    this.#throwIfNotWritable()
  }

  async partitionGone(partition: string): Promise<void> {
    this.#suspect()
    await this.#settled()
    await this.#confirm(partition)
    this.#foundOlder(`partition '${partition}' had begun and has not`)
    this.#throwIfNotWritable()
  }

  gone(what: string): ReadModelEmptiedError {
    return (this.#emptied ??= new ReadModelEmptiedError(this.#options.namespace, what))
  }

  acceptOlder(): void {
    this.#accepted++
    this.#older = undefined
    this.#forget()
  }

  async check(): Promise<void> {
    this.#throwIfEmptied()
    await this.#settled()
    await this.#lookAtMarker()
  }

  #throwIfEmptied(): void {
    if (this.#emptied !== undefined) throw this.#emptied
  }

  #throwIfNotWritable(): void {
    this.#throwIfEmptied()
    if (this.#older !== undefined) throw this.#older
  }

  /** The next write compares again. */
  #suspect(): void {
    this.#compared = undefined
  }

  #forget(): void {
    this.#progress.clear()
    this.#options.onForget()
  }

  #foundOlder(what: string): void {
    const { connection, namespace, onOlder } = this.#options
    // Without a consumer of this process nothing has to be consumed again.
    if (onOlder === undefined && this.#isHolder)
      this.#older ??= new ReadModelWentBackError(namespace, what, !connection.isCluster)
    else {
      this.#forget()
      onOlder?.(what)
    }
  }

  #takeNote(found: Comparison): void {
    if (found.kind === 'lost') throw this.gone(found.what)
    if (found.kind === 'older') this.#foundOlder(found.what)
  }

  async #lookAtMarker(during?: number): Promise<void> {
    const { connection, keys, epoch } = this.#options
    const found = textOf(await connection.send(keys.marker, ['HGET', keys.marker, 'epoch'], during))
    if (found !== epoch) throw this.gone(found === undefined ? 'its marker is gone' : 'it was made anew')
  }

  /** Starts again when the connection is lost meanwhile, for as long as one call may take. */
  async #onOneConnection(work: (during: number) => Promise<void>): Promise<void> {
    const { connection } = this.#options
    const endsAtMs = performance.now() + connection.deadlineMs
    for (;;) {
      this.#throwIfEmptied()
      const during = connection.losses
      try {
        await work(during)
        return
      } catch (error) {
        if (during === connection.losses || performance.now() >= endsAtMs) throw error
      }
    }
  }

  #look(): Promise<void> {
    return (this.#looking ??= this.#onOneConnection(async (during) => {
      await this.#lookAtMarker(during)
      this.#looked = during
    }).finally(() => (this.#looking = undefined)))
  }

  #settle(): Promise<void> {
    return (this.#settling ??= this.#onOneConnection(async (during) => {
      await this.#lookAtMarker(during)
      this.#looked = during
      const acceptedBefore = this.#accepted
      const found = await this.#progress.compare(during)
      if (this.#accepted === acceptedBefore) this.#takeNote(found)
      this.#compared = during
    }).finally(() => (this.#settling = undefined)))
  }

  async #settled(): Promise<number> {
    const { connection } = this.#options
    for (let attempt = 0; this.#compared !== connection.losses; attempt++) {
      if (attempt === attemptsToSettle) throw new ReadModelUnavailableError('Redis is not available: it comes and goes')
      await this.#settle()
    }
    this.#throwIfNotWritable()
    return connection.losses
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
      this.#lookAtMarker(),
      connection.send(keys.partitions, ['HGET', keys.partitions, partition]),
    ])
    // It may have begun between the two looks.
    if (textOf(begun) !== '1' || (await this.#hasEpoch(partition))) return
    throw this.gone(`partition '${partition}' has lost its data`)
  }
}

export const createDataLossGuard = (options: GuardOptions): DataLossGuard => new RedisDataLossGuard(options)
