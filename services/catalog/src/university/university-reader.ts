import type { University } from '@portal/contracts/catalog/http'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import { maxUniversities } from './decider.ts'
import { universitiesPartition, universityEntrySchema, universityList } from './projection.ts'

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
