import type { Audience, Person } from '@portal/contracts/notifications/audience'
import { type PageQuery, type Pagination, paginationOf } from '@portal/contracts/shared/page'
import { ok, type Result } from '@portal/platform/decider/decider'
import { forEachPerson } from './for-each-person.ts'
import { matchesWords, presentPerson } from './indexed-person.ts'
import type { AudienceRejection, ResolveAudience } from './resolve-audience.ts'

type PeopleQuery = PageQuery & { readonly audience: Audience; readonly q: string; readonly onlySelected: boolean }

type PeoplePage = {
  readonly people: (Person & { readonly isSelected: boolean })[]
  readonly pagination: Pagination
}

/** Returns a page of users for the send form, sorted by name. */
export const createListPeople =
  (resolveAudience: ResolveAudience) =>
  async ({ audience, q, onlySelected, page, limit }: PeopleQuery): Promise<Result<PeoplePage, AudienceRejection>> => {
    const resolved = await resolveAudience.resolveWithNames(audience)
    if (!resolved.ok) return resolved
    const { view, isMet, isIncluded, isExcluded } = resolved.value
    const matches = matchesWords(q)
    const [from, to] = [(page - 1) * limit, page * limit]
    const people: PeoplePage['people'] = []
    let total = 0
    await forEachPerson(view.byName, (person) => {
      if (person.isDeactivated || !matches(person)) return
      const isOnPage = total >= from && total < to
      // Only counted rows need the rule.
      if (!onlySelected && !isOnPage) {
        total += 1
        return
      }
      const { userId } = person
      const isSelected = (isMet(person) || isIncluded(userId)) && !isExcluded(userId)
      if (onlySelected && !isSelected) return
      total += 1
      if (isOnPage) people.push({ ...presentPerson(person, person.profile), isSelected })
    })
    return ok({ people, pagination: paginationOf({ page, limit }, total) })
  }
