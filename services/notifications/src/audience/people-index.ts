import type { Person } from '@portal/contracts/notifications/audience'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { type PersonRecord, unsorted } from './bucket-people.ts'
import { createDecryptProfiles } from './decrypt-profiles.ts'
import {
  createUniversityPool,
  type IndexedPerson,
  type IndexedProfile,
  matchesWords,
  presentPerson,
  type ProgramLearners,
  type RankedPerson,
  type University,
} from './indexed-person.ts'
import {
  hasName,
  noPeople,
  type OrderName,
  rankAll,
  sortAgain,
  sortByRank,
  type SortedPeople,
} from './people-orders.ts'
import { createPopulation, type Population } from './population.ts'
import { sortByNumber } from './sort-by-number.ts'
import { shareNextRun } from './share-next-run.ts'

type NamedIndexedPerson = IndexedPerson & { readonly profile: IndexedProfile }

/** All users with decrypted names. Only in memory. The same object as long as nothing has changed. */
export type PeopleSnapshot = Population & {
  /** Undefined for an unknown or erased user. */
  person(userId: UserId): Person | undefined
  enrollmentsOf(userId: UserId): IndexedPerson['enrollments']
  /** The place in the order of names; unknown users come last. */
  rankOf(userId: UserId): number
  /** Whether every word of `q` occurs in the name, e-mail address, student code, role or university of a user. */
  matching(q: string): (userId: UserId) => boolean
  universitiesNamed(names: readonly string[]): ReadonlySet<University>
  /** Sorted by name, with deactivated users. The same array as long as no name changes. */
  readonly byName: readonly NamedIndexedPerson[]
  /** The same users by bucket, as they are in memory: visiting them by name takes five times as long. */
  all(): Iterable<RankedPerson>
  /** Sorts them within each group. */
  sorted(order: OrderName, ...groups: readonly (readonly RankedPerson[])[]): readonly RankedPerson[]
  /** Sorts them by a whole number of each, and by name where it is equal. */
  sortedByNumber(people: readonly RankedPerson[], numbers: readonly number[]): readonly RankedPerson[]
  /** The learners of a program, a part at a time. Some have no name yet or any more. */
  learnersOf(programId: ProgramRecordId): Iterable<ProgramLearners>
}

/** Each call includes every change that was projected before it. */
export type PeopleIndex = {
  snapshot(): Promise<PeopleSnapshot>
  /** Returns the snapshot without waiting for names, which are decrypted after a start. */
  population(): Promise<Population>
}

type PeopleIndexDeps = {
  readonly readModel: Pick<ReadStore, 'lineage' | 'range' | 'entries'> & Pick<Checkpoints, 'positions'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly logger: Pick<Logger, 'error'>
  /** Ends refreshes, which then reject. */
  readonly signal: AbortSignal
  /** More users are left out. */
  readonly maxPeople?: number
}

/** The index of all users. Decrypts only changed profiles: at 100,000 users it would otherwise take seconds per change. */
export const createPeopleIndex = (deps: PeopleIndexDeps): PeopleIndex => {
  /** Users whose places in the orders are not current. */
  const displaced = new Set<PersonRecord>()
  const displace = (record: PersonRecord): void => void displaced.add(record)
  const population = createPopulation({ ...deps, onLeft: displace })
  const universities = createUniversityPool()
  const decryptProfiles = createDecryptProfiles({ ...deps, universities })
  let sorted = noPeople
  let latest: { readonly version: number; readonly sorted: SortedPeople; readonly snapshot: PeopleSnapshot } | undefined

  const sortDisplaced = async (): Promise<void> => {
    if (displaced.size === 0) return
    const changed = new Set(displaced)
    displaced.clear()
    const current = [...changed].filter((record) => population.find(record.userId) === record).filter(hasName)
    const next = await sortAgain(sorted, changed, current)
    // In one go: the ranks are places in these lists.
    rankAll(next)
    sorted = next
  }

  const decryptMissing = shareNextRun(async (): Promise<void> => {
    try {
      for (const [bucket, state] of population.buckets) {
        if (state.undecrypted.size > 0) await decryptProfiles(bucket, state, displace)
      }
    } finally {
      await sortDisplaced()
    }
  })

  function* all(): Iterable<RankedPerson> {
    for (const { people } of population.buckets.values())
      for (const record of people.values()) if (record.profile !== undefined && record.rank !== unsorted) yield record
  }

  function* learnersOf(programId: ProgramRecordId): Iterable<ProgramLearners> {
    for (const { learners } of population.buckets.values()) {
      const found = learners.get(programId)
      if (found) yield found
    }
  }

  const person = (userId: UserId): Person | undefined => {
    const record = population.find(userId)
    return record?.profile && presentPerson(record, record.profile)
  }

  const enrollmentsOf = (userId: UserId) => population.find(userId)?.enrollments ?? []

  const matching = (q: string): ((userId: UserId) => boolean) => {
    const matches = matchesWords(q)
    return (userId) => {
      const record = population.find(userId)
      return record !== undefined && matches(record)
    }
  }

  const takeSnapshot = (): PeopleSnapshot => ({
    ...population.current(),
    byName: sorted.name,
    all,
    sorted: (order, ...groups) => sortByRank(order, groups, sorted),
    sortedByNumber: (users, numbers) => sortByNumber(users, numbers, sorted.name),
    learnersOf,
    person,
    enrollmentsOf,
    rankOf: (userId) => population.find(userId)?.rank ?? unsorted,
    matching,
    universitiesNamed: universities.named,
  })

  return {
    population: async () => {
      await population.refresh()
      return population.current()
    },
    snapshot: async () => {
      await population.refresh()
      universities.rename(population.current().currentUniversityName)
      await decryptMissing()
      const version = population.version()
      if (latest?.version !== version || latest.sorted !== sorted)
        latest = { version, sorted, snapshot: takeSnapshot() }
      return latest.snapshot
    },
  }
}
