import { z } from 'zod'
import type { UniversityId } from '../shared/ids.ts'
import { normalizeText } from '../shared/search-text.ts'
import type { CatalogEvent } from './events.ts'

/** What a university is called and was called before. Remains when the university is removed, because its learners do. */
export const universityNamesSchema = z.object({
  name: z.string(),
  formerNames: z.array(z.string()),
  isRemoved: z.boolean(),
})
export type UniversityNames = z.infer<typeof universityNamesSchema>

/** Former names that are kept. Only profiles from before `universityId` was recorded need them. */
const maxFormerNames = 50

export type UniversityEvent = Extract<CatalogEvent, { type: `University${string}` }>
export const isUniversityEvent = (event: CatalogEvent): event is UniversityEvent =>
  event.type === 'UniversityAdded' || event.type === 'UniversityRenamed' || event.type === 'UniversityRemoved'

/** Folds an event of one university. Undefined for a university that was never added. */
export const applyUniversityEvent = (
  known: UniversityNames | undefined,
  event: UniversityEvent,
): UniversityNames | undefined => {
  if (event.type === 'UniversityAdded') return { name: event.data.name, formerNames: [], isRemoved: false }
  if (known === undefined) return undefined
  if (event.type === 'UniversityRemoved') return { ...known, isRemoved: true }
  const others = known.formerNames.filter((name) => name !== known.name)
  return { ...known, name: event.data.name, formerNames: [...others, known.name].slice(-maxFormerNames) }
}

/** The university in a profile: its name when the learner registered and, if it was on the list then, its id. */
export type StatedUniversity = {
  readonly universityName: string
  readonly universityId?: UniversityId | undefined
}

export type CurrentUniversityName = (stated: StatedUniversity) => string

/**
 * Returns the function that finds what the university of a learner is called now. Without an id, a name on the list means the
 * university that has it, and any other name the one that had it before. Unknown names stay as they are. A removed university goes
 * by its last name, so that one that is added again, as by Undo, is the same for its learners.
 */
export const createCurrentUniversityName = (
  universities: ReadonlyMap<UniversityId, UniversityNames>,
): CurrentUniversityName => {
  const byName = new Map<string, string>()
  for (const { name, formerNames } of universities.values())
    for (const former of formerNames) byName.set(normalizeText(former), name)
  for (const { name, isRemoved } of universities.values()) if (!isRemoved) byName.set(normalizeText(name), name)
  return ({ universityId, universityName }) => {
    const university = universityId && universities.get(universityId)
    if (university && !university.isRemoved) return university.name
    const lastName = university?.name ?? universityName
    return byName.get(normalizeText(lastName)) ?? lastName
  }
}
