import type { Person } from '@portal/contracts/notifications/audience'
import { allBucketKeys, bucketKey } from '@portal/contracts/shared/buckets'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { type BucketPeople, createEnrollmentPool, emptyBucket, type PersonRecord, readBucket } from './bucket-people.ts'
import { createDecryptProfiles } from './decrypt-profiles.ts'
import { type IndexedPerson, type IndexedProfile, matchesWords, presentPerson } from './indexed-person.ts'
import { hasName, insertByName, type NamedPerson } from './name-order.ts'
import { audienceProjection, enrolledPartition } from './projection.ts'
import { readPrograms } from './read-users.ts'
import { shareNextRun } from './share-next-run.ts'

/** Users and programs as rules see them. Shows later changes, too. */
export type Population = {
  /** Current programs in the order of creation. */
  readonly programs: ReadonlyMap<ProgramRecordId, string>
  /** Sorted by bucket and id. */
  everyone(): Iterable<IndexedPerson>
}

/** All users with decrypted names. Only in memory. */
export type PeopleSnapshot = Population & {
  /** Undefined for an unknown or erased user. */
  person(userId: UserId): Person | undefined
  /** The place in the order of names; unknown users come last. */
  rankOf(userId: UserId): number
  /** Whether every word of `q` occurs in the name, e-mail address, student code, role or university of a user. */
  matching(q: string): (userId: UserId) => boolean
  /** Sorted by name. */
  readonly byName: readonly (IndexedPerson & { readonly profile: IndexedProfile })[]
}

/** Each call includes every change that was projected before it. */
export type PeopleIndex = {
  snapshot(): Promise<PeopleSnapshot>
  /** As `snapshot` without waiting for names, which are decrypted after a start. */
  population(): Promise<Population>
}

type Deps = {
  readonly readModel: Pick<ReadStore, 'lineage' | 'range' | 'entries'> & Pick<Checkpoints, 'positions'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly logger: Logger
  /** Ends refreshes, which then reject. */
  readonly signal: AbortSignal
  /** More users are left out. */
  readonly maxPeople?: number
}

/** Attempts if the read model goes back or switches during a refresh. */
const maxReads = 5

/**
 * The index of all users. It reads only buckets that have changed, and decrypts only changed profiles: at 100,000
 * users it would otherwise take seconds per change.
 */
export const createPeopleIndex = (deps: Deps): PeopleIndex => {
  const { readModel, logger, signal, maxPeople = limits.recipientsPerAudience } = deps
  const buckets = new Map(allBucketKeys.map((bucket): [string, BucketPeople] => [bucket, emptyBucket()]))
  const share = createEnrollmentPool()
  const decryptProfiles = createDecryptProfiles(deps)
  /** Users whose place in the order of names is not current. */
  const displaced = new Set<PersonRecord>()
  let lineage: string | undefined
  let programs: ReadonlyMap<ProgramRecordId, string> = new Map()
  let byName: readonly NamedPerson[] = []

  const find = (userId: UserId): PersonRecord | undefined => {
    const record = buckets.get(bucketKey(userId))?.people.get(userId)
    return record?.isErased ? undefined : record
  }

  function* everyone(): Iterable<IndexedPerson> {
    for (const { people } of buckets.values()) {
      for (const person of people.values()) if (!person.isErased) yield person
    }
  }

  const roomIn = (state: BucketPeople): number => {
    let others = 0
    for (const bucket of buckets.values()) if (bucket !== state) others += bucket.people.size
    return maxPeople - others
  }

  const readChanged = async (): Promise<void> => {
    // Positions of another lineage can be equal by chance.
    const now = readModel.lineage()
    const isContinued = lineage === now
    lineage = undefined
    const positions = await readModel.positions(audienceProjection.name)
    programs = await readPrograms(readModel)
    for (const [bucket, state] of buckets) {
      const position = `${positions[bucket]} ${positions[enrolledPartition(bucket)]}`
      if (isContinued && state.position === position) continue
      signal.throwIfAborted()
      const { left, isFull } = await readBucket(readModel, state, { bucket, share, room: roomIn(state) })
      state.position = position
      for (const record of left) displaced.add(record)
      if (isFull) logger.error({ maxPeople }, 'people index is full, further users cannot be selected by a rule')
    }
    lineage = now
  }

  const refresh = shareNextRun(async (): Promise<void> => {
    for (let reads = 0; reads < maxReads; reads++) {
      await readChanged()
      if (readModel.lineage() === lineage) return
    }
  })

  const sortByName = async (): Promise<void> => {
    if (displaced.size === 0) return
    const changed = [...displaced]
    const current = changed.filter((record) => find(record.userId) === record).filter(hasName)
    const others = byName.filter((person) => !displaced.has(person))
    displaced.clear()
    byName = await insertByName(others, current)
    for (const [rank, person] of byName.entries()) person.rank = rank
  }

  const decryptMissing = shareNextRun(async (): Promise<void> => {
    try {
      for (const [bucket, state] of buckets) {
        if (state.undecrypted.size === 0) continue
        for (const record of await decryptProfiles(bucket, state)) displaced.add(record)
      }
    } finally {
      await sortByName()
    }
  })

  const person = (userId: UserId): Person | undefined => {
    const record = find(userId)
    return record?.profile && presentPerson(record, record.profile)
  }

  const matching = (q: string): ((userId: UserId) => boolean) => {
    const matches = matchesWords(q)
    return (userId) => {
      const record = find(userId)
      return record !== undefined && matches(record)
    }
  }

  return {
    population: async () => {
      await refresh()
      return { programs, everyone }
    },
    snapshot: async () => {
      await refresh()
      await decryptMissing()
      const rankOf = (userId: UserId): number => find(userId)?.rank ?? Number.MAX_SAFE_INTEGER
      return { programs, everyone, byName, person, rankOf, matching }
    },
  }
}
