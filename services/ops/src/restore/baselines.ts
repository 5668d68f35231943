import type { Manifest } from '@portal/platform/backup/manifest'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import { type Baseline, baselineFrom } from '@portal/platform/generations/baseline-check'
import type { Config } from '@portal/platform/settings/config'
import { isFile } from '../settings/places.ts'

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
