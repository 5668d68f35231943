import { universityEventSchema } from './events.ts'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { universitiesKey } from './publish.ts'

const readEvent = storedEventReader(universityEventSchema)

export const universitiesPartition = universitiesKey

/** Members are university ids, scores are in the order in which they were added, values are UniversityEntry. */
export const universityList = 'universities'

export const universityEntrySchema = z.object({ name: z.string() })
type UniversityEntry = z.infer<typeof universityEntrySchema>

const headPlace = { collection: 'universities-head', key: 'head' } as const
const headRef: DocumentRef = { partition: universitiesPartition, ...headPlace }
const headSchema = z.object({ lastScore: z.number().int() })

export const universitiesProjection: Projection = {
  name: 'universities',
  topics: ['catalog'],
  partitionOf: ({ key }) => (key === universitiesKey ? universitiesPartition : undefined),

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
      { op: 'put', ...headPlace, value: { lastScore: score } },
    ]
  },
}
