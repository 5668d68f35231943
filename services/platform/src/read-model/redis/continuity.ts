import { performance } from 'node:perf_hooks'
import { ReadModelEmptiedError } from '../emptied.ts'
import { ReadModelUnavailableError } from '../unavailable.ts'
import { ReadModelWentBackError } from '../went-back.ts'
import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'
import { type Comparison, rememberProgress } from './remembered-progress.ts'
import { textOf } from './replies.ts'

/**
 * Whether the server still holds what this connection has seen there. After each lost connection it may be another server, or
 * the same one with older data, so nothing is written before all positions and cursors that were seen have been compared.
 */
export type Continuity = {
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

export type ContinuityOptions = {
  readonly connection: Connection
  readonly keys: NamespaceKeys
  readonly namespace: string
  readonly epoch: string
  /** Where given, older data are accepted and reported here; otherwise writes are rejected until `acceptOlder`. */
  readonly onOlder: ((what: string) => void) | undefined
  /** Nothing that was known before holds any longer. */
  readonly onForget: () => void
}

export const watchContinuity = (options: ContinuityOptions): Continuity => {
  const { connection, keys, namespace, epoch, onOlder, onForget } = options
  const progress = rememberProgress(connection, keys, epoch)
  const confirming = new Map<string, Promise<void>>()
  /** The connections during which the marker was seen, and all that is remembered was compared. */
  let looked: number | undefined = connection.losses
  let compared: number | undefined = connection.losses
  let looking: Promise<void> | undefined
  let settling: Promise<void> | undefined
  let isHolder = false
  let accepted = 0
  let emptied: ReadModelEmptiedError | undefined
  let older: ReadModelWentBackError | undefined

  const gone = (what: string) => (emptied ??= new ReadModelEmptiedError(namespace, what))

  const throwIfEmptied = () => {
    if (emptied !== undefined) throw emptied
  }

  const forget = () => {
    progress.forget()
    onForget()
  }

  const foundOlder = (what: string) => {
    // Without a consumer of this process nothing has to be taken up again.
    if (onOlder === undefined && isHolder) older ??= new ReadModelWentBackError(namespace, what, !connection.isCluster)
    else {
      forget()
      onOlder?.(what)
    }
  }

  const takeNote = (found: Comparison) => {
    if (found.kind === 'lost') throw gone(found.what)
    if (found.kind === 'older') foundOlder(found.what)
  }

  const lookAtMarker = async (during?: number) => {
    const found = textOf(await connection.send(keys.marker, ['HGET', keys.marker, 'epoch'], during))
    if (found !== epoch) throw gone(found === undefined ? 'its marker is gone' : 'it was made anew')
  }

  /** Begins again when the connection is lost meanwhile, for as long as one call may take. */
  const onOneConnection = async (work: (during: number) => Promise<void>): Promise<void> => {
    const endsAt = performance.now() + connection.deadlineMs
    for (;;) {
      throwIfEmptied()
      const during = connection.losses
      try {
        await work(during)
        return
      } catch (error) {
        if (during === connection.losses || performance.now() >= endsAt) throw error
      }
    }
  }

  const look = (): Promise<void> =>
    (looking ??= onOneConnection(async (during) => {
      await lookAtMarker(during)
      looked = during
    }).finally(() => (looking = undefined)))

  const settle = (): Promise<void> =>
    (settling ??= onOneConnection(async (during) => {
      await lookAtMarker(during)
      looked = during
      const acceptedBefore = accepted
      const found = await progress.compare(during)
      if (accepted === acceptedBefore) takeNote(found)
      compared = during
    }).finally(() => (settling = undefined)))

  const throwIfNotWritable = () => {
    throwIfEmptied()
    if (older !== undefined) throw older
  }

  const settled = async (): Promise<number> => {
    for (let attempt = 0; compared !== connection.losses; attempt++) {
      if (attempt === attemptsToSettle) throw new ReadModelUnavailableError('Redis is not available: it comes and goes')
      await settle()
    }
    throwIfNotWritable()
    return connection.losses
  }

  /** Compared again before the next write. */
  const suspect = () => (compared = undefined)

  const hasEpoch = async (partition: string): Promise<boolean> => {
    const { meta } = keys.of(partition)
    return textOf(await connection.send(meta, ['HGET', meta, 'epoch'])) === epoch
  }

  const confirm = async (partition: string) => {
    if (await hasEpoch(partition)) return
    const [, begun] = await Promise.all([
      lookAtMarker(),
      connection.send(keys.partitions, ['HGET', keys.partitions, partition]),
    ])
    // It may have begun between the two looks.
    if (textOf(begun) !== '1' || (await hasEpoch(partition))) return
    throw gone(`partition '${partition}' has lost its data`)
  }

  connection.onReady(() => {
    // Whoever is concerned is told by the next write or check.
    if (emptied === undefined && compared !== connection.losses) settle().catch(() => undefined)
  })

  return {
    epoch,
    forWrite() {
      isHolder = true
      throwIfNotWritable()
      return compared === connection.losses ? compared : settled()
    },
    beforeRead() {
      throwIfEmptied()
      // A part of a cluster's data is read on until the rebuild that it takes.
      if (!isHolder || connection.isCluster) return looked === connection.losses ? undefined : look()
      if (older !== undefined) throw older
      return compared === connection.losses ? undefined : settled().then(() => undefined)
    },
    confirmEmpty(partition) {
      // One that is under way was sent after what has just been answered, by the same node.
      const known = confirming.get(partition)
      if (known !== undefined) return known
      const asking = confirm(partition).finally(() => confirming.delete(partition))
      confirming.set(partition, asking)
      return asking
    },
    confirmNamespace: () => lookAtMarker(),
    sawPosition(projection, partition, position) {
      if (!progress.sawPosition(projection, partition, position)) suspect()
    },
    sawCursor: progress.sawCursor,
    loadsCursors: () => void (isHolder = true),
    checkPosition(projection, partition, position) {
      const highest = progress.highest(projection, partition)
      if (highest === undefined || (position ?? '') >= highest) return
      foundOlder(`${projection} in '${partition}' was at ${highest} and is at ${position ?? 'none'}`)
      throwIfNotWritable()
    },
    async partitionGone(partition) {
      suspect()
      await settled()
      await confirm(partition)
      foundOlder(`partition '${partition}' had begun and has not`)
      throwIfNotWritable()
    },
    gone,
    acceptOlder() {
      accepted++
      older = undefined
      forget()
    },
    async check() {
      throwIfEmptied()
      await settled()
      await lookAtMarker()
    },
  }
}
