import type { ReadModel } from '../read-model/port.ts'
import { takeDigests } from '../generations/baseline-check.ts'
import type { ReadModelDigests } from './manifest.ts'

/** What serves a projection at the moment. */
export type ServedProjection = {
  readonly projection: string
  readonly version: number
  readonly generation: string
  readonly readModel: ReadModel
}

/** What a read model holds, partition by partition. To be taken before the log is copied: its positions are in the copy then. */
export const digestsOf = async (served: ServedProjection): Promise<ReadModelDigests> => {
  const { projection, version, generation, readModel } = served
  const digests = await takeDigests(projection, readModel)
  const partitions = [...digests].flatMap(([partition, { position, checksum, documents, entries }]) =>
    position === undefined ? [] : [[partition, { position, checksum, documents, entries }] as const],
  )
  return { projection, version, generation, partitions: Object.fromEntries(partitions) }
}
