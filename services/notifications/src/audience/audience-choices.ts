import { audienceRoles } from '@portal/contracts/notifications/audience'
import type { getAudienceChoices } from '@portal/contracts/notifications/http'
import { paymentStatusSchema } from '@portal/contracts/catalog/enrollment'
import { limits } from '@portal/contracts/shared/rules'
import type { z } from 'zod'
import type { IndexedPerson, University } from './indexed-person.ts'
import type { PeopleIndex } from './people-index.ts'
import { forEachPerson } from './for-each-person.ts'

type Choices = Omit<z.input<(typeof getAudienceChoices)['response']>, 'success'>

const createCounter = <Key>() => {
  const counts = new Map<Key, number>()
  return {
    add: (keys: ReadonlySet<Key>): void => {
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    of: (key: Key): number => counts.get(key) ?? 0,
    entries: () => [...counts],
  }
}

/** Several have the same name if one was renamed, or if only some profiles have its id. */
const mergedByKey = (counted: readonly (readonly [University, number])[]) => {
  const byKey = new Map<string, { readonly name: string; readonly count: number }>()
  for (const [{ key, name }, count] of counted)
    if (key !== '') byKey.set(key, { name, count: count + (byKey.get(key)?.count ?? 0) })
  return [...byKey.values()]
}

const byNumber = (counted: readonly (readonly [number, number])[]) => counted.toSorted(([a], [b]) => a - b)

/** Returns what a rule can select by, each with its number of users, without those whom rules never select. */
export const createAudienceChoices = (people: Pick<PeopleIndex, 'snapshot'>) => async (): Promise<Choices> => {
  const { programs, byName } = await people.snapshot()
  const [inPrograms, payments, roles] = [createCounter<string>(), createCounter<string>(), createCounter<string>()]
  const listed = createCounter<string>()
  const [semesters, installments] = [createCounter<number>(), createCounter<number>()]
  const universities = createCounter<University>()
  let everyone = 0
  await forEachPerson(byName, ({ role, isDeactivated, enrollments, profile }: IndexedPerson) => {
    const programIds = new Set(enrollments.map(({ programId }) => programId))
    listed.add(programIds)
    if (role === 'admin' || isDeactivated) return
    everyone += 1
    roles.add(new Set([role]))
    inPrograms.add(programIds)
    payments.add(new Set(enrollments.map(({ paymentStatus }) => paymentStatus)))
    semesters.add(new Set(enrollments.map(({ semester }) => semester)))
    installments.add(new Set(enrollments.flatMap(({ installmentDue }) => installmentDue ?? [])))
    if (profile) universities.add(new Set([profile.university]))
  })
  return {
    everyone,
    programs: [...programs].map(([programId, name]) => ({
      programId,
      name,
      count: inPrograms.of(programId),
      listed: listed.of(programId),
    })),
    paymentStatuses: paymentStatusSchema.options.map((paymentStatus) => ({
      paymentStatus,
      count: payments.of(paymentStatus),
    })),
    semesters: byNumber(semesters.entries()).map(([semester, count]) => ({ semester, count })),
    installmentsDue: byNumber(installments.entries()).map(([installment, count]) => ({ installment, count })),
    universities: mergedByKey(universities.entries())
      .toSorted((a, b) => b.count - a.count)
      .slice(0, limits.audienceUniversities)
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    roles: audienceRoles.map((role) => ({ role, count: roles.of(role) })),
  }
}
export type AudienceChoices = ReturnType<typeof createAudienceChoices>
