import { catalogEventSchema } from '@portal/contracts/catalog/events'
import {
  applyUniversityEvent,
  createCurrentUniversityName,
  type CurrentUniversityName,
  isUniversityEvent,
  type UniversityNames,
  universityNamesSchema,
} from '@portal/contracts/catalog/university-names'
import { type UniversityId, universityIdSchema } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection } from '@portal/platform/projection/projection'
import { readModelLimits } from '@portal/platform/read-model/limits'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'

const readCatalogEvent = storedEventReader(catalogEventSchema)

/** Members are university ids, values are UniversityNames, scores follow the order of creation. */
const nameList = 'university-names'
const universitiesPartition = 'universities'

/** What universities are called now, because the profile of a learner has the name at their registration. */
export const universityNamesProjection: Projection = {
  name: 'university-names',
  // As separate processes, earlier releases built it without the events that were only in the log.
  version: 2,
  topics: ['catalog'],
  partitionOf: ({ type }) => (type.startsWith('University') ? universitiesPartition : undefined),
  apply: async ({ type, data }, view) => {
    const event = readCatalogEvent({ type, data })
    if (!isUniversityEvent(event)) return []
    const member = event.data.universityId
    const found = await view.entry(universitiesPartition, nameList, member)
    const value = applyUniversityEvent(found && universityNamesSchema.parse(found.value), event)
    if (value === undefined) return []
    const [last] = found
      ? [found]
      : await view.range(universitiesPartition, nameList, { order: 'descending', limit: 1 })
    return [{ op: 'add', list: nameList, member, score: found?.score ?? (last?.score ?? 0) + 1, value }]
  },
}

type Readable = Pick<ReadStore, 'lineage' | 'range'> & Pick<Checkpoints, 'positions'>

const readNames = async (readModel: Readable): Promise<ReadonlyMap<UniversityId, UniversityNames>> => {
  const names = new Map<UniversityId, UniversityNames>()
  const limit = readModelLimits.entriesPerRange
  for (let from = 0; ;) {
    const entries = await readModel.range(universitiesPartition, nameList, { from, order: 'ascending', limit })
    for (const { member, value } of entries)
      names.set(universityIdSchema.parse(member), universityNamesSchema.parse(value))
    const last = entries.at(-1)
    if (!last || entries.length < limit) return names
    from = last.score + 1
  }
}

export type CurrentUniversities = () => Promise<CurrentUniversityName>

/**
 * Reads the names again only after a change. If that fails, profiles show the name from the registration: a missing name is no
 * reason to log users out.
 */
export const createCurrentUniversities = (readModel: Readable): CurrentUniversities => {
  let known: { readonly at: string; readonly currentName: CurrentUniversityName } | undefined
  const read = async (): Promise<CurrentUniversityName> => {
    const positions = await readModel.positions(universityNamesProjection.name)
    // Positions of another lineage can be equal by chance.
    const at = `${readModel.lineage()} ${positions[universitiesPartition] ?? ''}`
    if (known?.at !== at) known = { at, currentName: createCurrentUniversityName(await readNames(readModel)) }
    return known.currentName
  }
  return () =>
    read().catch(
      () =>
        ({ universityName }) =>
          universityName,
    )
}
