import type { Logger } from 'pino'
import type { Publisher } from '../bus/publisher.ts'
import { createRelay } from '../bus/relay.ts'
import type { Position } from '../event-store/port.ts'
import type { EventLog } from '../event-store/sqlite/event-log.ts'
import type { Projection } from '../projection/projection.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { type Baseline, type Difference, baselineFrom } from '../generations/baseline-check.ts'
import { applyLog, openRebuildTarget, type RebuildTarget } from '../generations/rebuild-target.ts'
import type { Manifest, ReadModelDigests } from './manifest.ts'

export type BuildProgress = {
  readonly step: 'building read models'
  readonly events: number
  readonly totalEvents: number
}

type CompareOptions = {
  readonly manifest: Manifest
  readonly log: EventLog
  readonly projections: readonly Projection[]
  readonly publishers: readonly Publisher[]
  /** The folder in which they are built. */
  readonly folder: string
  readonly logger: Logger
  readonly signal: AbortSignal
  onProgress?(progress: BuildProgress | { readonly step: 'comparing' }): void
}

export type ComparedReadModel = {
  readonly projection: string
  /** Undefined if it could not be compared, because this release lacks the projection or has another version. */
  readonly partitions: number | undefined
  readonly differences: readonly Difference[]
}

type Built = {
  readonly target: RebuildTarget
  readonly baseline: Baseline | undefined
  readonly digests: ReadModelDigests
  readonly close: () => Promise<void>
}

const openBuilt = async (digests: ReadModelDigests, options: CompareOptions): Promise<Built | undefined> => {
  const { projections, folder, logger } = options
  const projection = projections.find(
    ({ name, version = 1 }) => name === digests.projection && version === digests.version,
  )
  if (projection === undefined) return undefined
  const readModel: ReadModel = openSqliteReadModel({ path: folder, namespace: digests.projection })
  const target = await openRebuildTarget(projection, digests.projection, readModel, logger)
  const baseline = baselineFrom(digests.projection, new Map(Object.entries(digests.partitions)))
  target.baseline = baseline
  return { target, baseline, digests, close: () => readModel.close() }
}

const build = async (built: readonly Built[], options: CompareOptions): Promise<void> => {
  const { log, publishers, manifest, signal, onProgress } = options
  const { end, events: totalEvents } = manifest.log
  let events = 0
  const targets = built.map(({ target }) => target)
  const until: Position | 'start' = end?.position ?? 'start'
  const onEvent = (): void => onProgress?.({ step: 'building read models', events: ++events, totalEvents })
  await applyLog({ log, relay: createRelay(publishers), targets, after: 'start', until, signal, onEvent })
  for (const target of targets) await target.flush()
}

/** Builds each read model from the log, up to the positions of its digests, and compares the two. */
export const compareReadModels = async (options: CompareOptions): Promise<readonly ComparedReadModel[]> => {
  const { manifest, signal, onProgress } = options
  const built: Built[] = []
  try {
    for (const digests of manifest.readModels) {
      const opened = await openBuilt(digests, options)
      if (opened !== undefined) built.push(opened)
    }
    await build(built, options)
    onProgress?.({ step: 'comparing' })
    const compared: ComparedReadModel[] = []
    for (const { projection } of manifest.readModels) {
      signal.throwIfAborted()
      const found = built.find(({ digests }) => digests.projection === projection)
      const differences = (await found?.baseline?.differencesOf(found.target.readModel)) ?? []
      compared.push({ projection, partitions: found && Object.keys(found.digests.partitions).length, differences })
    }
    return compared
  } finally {
    for (const { close } of built) await close()
  }
}
