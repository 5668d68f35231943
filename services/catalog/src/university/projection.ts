import type { University } from '@portal/contracts/catalog/http'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef, ReadStore } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { maxUniversities } from './decider.ts'
import { universityEventSchema } from './events.ts'

const readEvent = storedEventReader(universityEventSchema)

/** All universities are one list. Also the message key. */
export const universitiesPartition = 'universities'

/** Members are university ids, scores are in the order of creation, values are UniversityEntry. */
const universityList = 'universities'

const universityEntrySchema = z.object({ name: z.string() })
type UniversityEntry = z.infer<typeof universityEntrySchema>

const headKey = { collection: 'universities-head', key: 'head' } as const
const headRef: DocumentRef = { partition: universitiesPartition, ...headKey }
const headSchema = z.object({ lastScore: z.number().int() })

export const universitiesProjection: Projection = {
  name: 'universities',
  topics: ['catalog'],
  partitionOf: ({ key }) => (key === universitiesPartition ? universitiesPartition : undefined),

  apply: async ({ type, data }, view) => {
    const event = readEvent({ type, data })
    const member = event.data.universityId
    if (event.type === 'UniversityRemoved') return [{ op: 'remove', list: universityList, member }]

    const value: UniversityEntry = { name: event.data.name }
    if (event.type === 'UniversityRenamed') {
      const known = await view.entry(universitiesPartition, universityList, member)
      return known ? [{ op: 'add', list: universityList, member, score: known.score, value }] : []
    }
    const head = await view.get(headRef)
    const score = head === undefined ? 1 : headSchema.parse(head).lastScore + 1
    return [
      { op: 'add', list: universityList, member, score, value },
      { op: 'put', ...headKey, value: { lastScore: score } },
    ]
  },
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** All universities, by name. */
export const readUniversities = async (readModel: ReadStore): Promise<University[]> => {
  const range = { order: 'ascending', limit: maxUniversities } as const
  const entries = await readModel.range(universitiesPartition, universityList, range)
  return entries
    .map(({ member, value }) => ({
      _id: universityIdSchema.parse(member),
      name: universityEntrySchema.parse(value).name,
    }))
    .toSorted((a, b) => byName.compare(a.name, b.name))
}
