import type { Manifest } from '@portal/platform/backup/manifest'
import { moveLogPublishers } from '@portal/platform/bus/kafka/producer/checkpoint'
import { createDiscontinuityStore, wholeLog } from '@portal/platform/discontinuity/discontinuity'
import { type Baseline, baselineFrom } from '@portal/platform/generations/baseline-check'
import { controlNamespace } from '@portal/platform/generations/open-generations'
import { readLogEnd } from '@portal/platform/generations/repair'
import { replay, type Replayed, type ReplayOptions } from '@portal/platform/generations/replay'
import type { ReadModel } from '@portal/platform/read-model/port'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import type { Config } from '@portal/platform/settings/config'
import { openReplayPorts, type OpenReplayPorts } from '../replay/open-replay-ports.ts'
import { otherConsumers } from '../replay/replayed-projections.ts'
import { projections, publishersOf } from '../settings/consumers.ts'
import { isFile, isKafka } from '../settings/engine-addresses.ts'

type RebuildOptions = Pick<ReplayOptions, 'baselineOf' | 'force' | 'signal' | 'onProgress' | 'stamp'> & {
  readonly config: Config
  /** The command, as the record of the discontinuity names it. */
  readonly noticedBy: string
}

const withControl = async <T>(ports: OpenReplayPorts, work: (control: ReadModel) => Promise<T>): Promise<T> => {
  const control = await ports.open(controlNamespace)
  try {
    return await work(control)
  } finally {
    await control.close()
  }
}

/** The engines may hold what was made of another log. The record keeps it from serving, also if this run is interrupted. */
const recordAnotherLog = (ports: OpenReplayPorts, noticedBy: string): Promise<void> =>
  withControl(ports, async (control) => {
    await createDiscontinuityStore(control).record({
      consumer: wholeLog,
      cause: 'log-older',
      missing: 'the event store was copied from elsewhere',
      since: new Date().toISOString(),
      noticedBy,
    })
  })

/** Kafka may hold messages of another log: feeds go on behind the end of this one, and consumers read it from the log. */
const moveFeedsToEnd = (ports: OpenReplayPorts, { busUrl }: Config): Promise<void> =>
  withControl(ports, async (control) => {
    await moveLogPublishers(busUrl, control, Object.keys(publishersOf), await readLogEnd(ports.log))
  })

/**
 * Builds all read models from the log, whatever is there, and lets them serve. Consumers without a read model begin at the start of the
 * log, feeds at its end.
 */
export const rebuildReadModels = async ({
  config,
  noticedBy,
  ...options
}: RebuildOptions): Promise<readonly Replayed[]> => {
  const ports = await openReplayPorts(config)
  try {
    await recordAnotherLog(ports, noticedBy)
    const results = await replay({ ...ports, ...options, projections, otherConsumers: otherConsumers(config) })
    if (isKafka(config.busUrl)) await moveFeedsToEnd(ports, config)
    return results
  } finally {
    await ports.close()
  }
}

/** A log in a file keeps the positions of a backup of another file; in EventStoreDB every event gets another one. */
export const keepsPositions = (
  { store }: Pick<Manifest, 'store'>,
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
): boolean => store === 'sqlite' && isFile(eventStoreUrl)

/** What the read models that are rebuilt from a restored log have to equal, where it has the positions that digests were taken at. */
export const baselinesOf = (
  manifest: Pick<Manifest, 'store' | 'readModels'>,
  config: Pick<Config, 'eventStoreUrl'>,
): ((key: string) => Baseline | undefined) => {
  const isComparable = keepsPositions(manifest, config)
  return (key) => {
    const recorded = manifest.readModels.find(
      ({ projection: name, version }) => projectionKey({ name, version }) === key,
    )
    return isComparable && recorded !== undefined
      ? baselineFrom(recorded.projection, new Map(Object.entries(recorded.partitions)))
      : undefined
  }
}
