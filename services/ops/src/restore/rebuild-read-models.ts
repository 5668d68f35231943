import type { Manifest } from '@portal/platform/backup/manifest'
import { moveLogPublishers } from '@portal/platform/bus/kafka/producer/checkpoint'
import { createDiscontinuityStore, wholeLog } from '@portal/platform/discontinuity/discontinuity'
import { readLogIdentity, recordLogIdentity } from '@portal/platform/discontinuity/log-identity'
import { type Baseline, baselineFrom } from '@portal/platform/generations/baseline-check'
import { readLogEnd } from '@portal/platform/generations/repair'
import { replay, type Replayed, type ReplayOptions } from '@portal/platform/generations/replay'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import type { Config } from '@portal/platform/settings/config'
import { openReplayPorts, type OpenReplayPorts, withControl } from '../replay/open-replay-ports.ts'
import { otherConsumers } from '../replay/replayed-projections.ts'
import { projections, publishersOf } from '../settings/consumers.ts'
import { isFile, isKafka } from '../settings/engine-addresses.ts'

type RebuildOptions = Pick<ReplayOptions, 'baselineOf' | 'force' | 'signal' | 'onProgress' | 'stamp'> & {
  readonly config: Config
  /** The command that the recorded discontinuity names. */
  readonly noticedBy: string
}

/** The read models may come from another log. The discontinuity halts their consumers even if this run is interrupted. */
const recordCopiedLog = (ports: OpenReplayPorts, noticedBy: string): Promise<void> =>
  withControl(ports, async (control) => {
    const copied = await readLogIdentity(ports.log)
    if (copied.kind === 'named') await recordLogIdentity(control, copied.identity, { isReplacing: true })
    await createDiscontinuityStore(control).record({
      consumer: wholeLog,
      cause: 'log-older',
      missing: 'the event store was copied from elsewhere',
      since: new Date().toISOString(),
      noticedBy,
    })
  })

/** Kafka may have messages of another log. Log publishers continue at the end of this log; consumers read it from the log. */
const movePublishersToEnd = (ports: OpenReplayPorts, { busUrl }: Config): Promise<void> =>
  withControl(ports, async (control) => {
    await moveLogPublishers(busUrl, control, Object.keys(publishersOf), await readLogEnd(ports.log))
  })

/**
 * Rebuilds and activates all read models. Consumers without a read model start at the beginning of the log, log publishers at its end.
 */
export const rebuildReadModels = async ({
  config,
  noticedBy,
  ...options
}: RebuildOptions): Promise<readonly Replayed[]> => {
  const ports = await openReplayPorts(config)
  try {
    await recordCopiedLog(ports, noticedBy)
    const results = await replay({ ...ports, ...options, projections, otherConsumers: otherConsumers(config) })
    if (isKafka(config.busUrl)) await movePublishersToEnd(ports, config)
    return results
  } finally {
    await ports.close()
  }
}

/** Positions are kept only from SQLite to SQLite: EventStoreDB assigns new ones. */
export const keepsPositions = (
  { store }: Pick<Manifest, 'store'>,
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
): boolean => store === 'sqlite' && isFile(eventStoreUrl)

/** The digests that the rebuilt read models must equal, if the restored log has the same positions. */
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
