import type { Person } from '@portal/contracts/notifications/audience'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import type { PersonRecord } from './bucket-people.ts'
import { createDecryptProfiles } from './decrypt-profiles.ts'
import {
  createUniversityPool,
  type IndexedPerson,
  type IndexedProfile,
  matchesWords,
  presentPerson,
  type University,
} from './indexed-person.ts'
import { hasName, insertIn, type NamedPerson } from './people-orders.ts'
import { createPopulation, type Population } from './population.ts'
import { shareNextRun } from './share-next-run.ts'

type NamedIndexedPerson = IndexedPerson & { readonly profile: IndexedProfile }

/** All users with decrypted names. Only in memory. */
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
  /** The same users in other orders. */
  readonly byEmail: readonly NamedIndexedPerson[]
  readonly byRegistration: readonly NamedIndexedPerson[]
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
  let byName: readonly NamedPerson[] = []
  let byEmail: readonly NamedPerson[] = []
  let byRegistration: readonly NamedPerson[] = []

  const sortDisplaced = async (): Promise<void> => {
    if (displaced.size === 0) return
    const changed = new Set(displaced)
    displaced.clear()
    const current = [...changed].filter((record) => population.find(record.userId) === record).filter(hasName)
    const othersIn = (sorted: readonly NamedPerson[]) => sorted.filter((person) => !changed.has(person))
    byEmail = await insertIn('email', othersIn(byEmail), current)
    byRegistration = await insertIn('registered', othersIn(byRegistration), current)
    byName = await insertIn('name', othersIn(byName), current)
    for (const [rank, person] of byName.entries()) person.rank = rank
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

  return {
    population: async () => {
      await population.refresh()
      return population.current()
    },
    snapshot: async () => {
      await population.refresh()
      universities.rename(population.current().currentUniversityName)
      await decryptMissing()
      const rankOf = (userId: UserId): number => population.find(userId)?.rank ?? Number.MAX_SAFE_INTEGER
      const sorted = { byName, byEmail, byRegistration }
      const ofUsers = { person, enrollmentsOf, rankOf, matching }
      return { ...population.current(), ...sorted, ...ofUsers, universitiesNamed: universities.named }
    },
  }
}
