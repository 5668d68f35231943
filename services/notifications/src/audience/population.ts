import { allBucketKeys, bucketKey } from '@portal/contracts/shared/buckets'
import { createCurrentUniversityName, type CurrentUniversityName } from '@portal/contracts/catalog/university-names'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { type BucketPeople, createEnrollmentPool, emptyBucket, type PersonRecord, readBucket } from './bucket-people.ts'
import type { IndexedPerson } from './indexed-person.ts'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import { audienceProjection, programsPartition, universitiesPartition } from './projection.ts'
import { readPrograms, readUniversityNames } from './read-users.ts'
import { shareNextRun } from './share-next-run.ts'

/** Users and programs as rules see them. Shows later changes, too. */
export type Population = {
  /** Current programs in the order of creation. */
  readonly programs: ReadonlyMap<ProgramRecordId, string>
  readonly currentUniversityName: CurrentUniversityName
  /** All users whom a send can go to. Sorted by bucket and id. */
  everyone(): Iterable<IndexedPerson>
}

type PopulationDeps = {
  readonly readModel: Pick<ReadStore, 'lineage' | 'range'> & Pick<Checkpoints, 'positions'>
  readonly logger: Pick<Logger, 'error'>
  /** Ends refreshes, which then reject. */
  readonly signal: AbortSignal
  /** More users are left out. */
  readonly maxPeople?: number
  readonly onLeft: (record: PersonRecord) => void
}

/** Attempts if the read model goes back or switches during a refresh. */
const maxReads = 5

/** Keeps all users in memory without decrypting anything, and reads only buckets that have changed. */
export const createPopulation = (deps: PopulationDeps) => {
  const { readModel, logger, signal, onLeft, maxPeople = limits.recipientsPerAudience } = deps
  const buckets = new Map(allBucketKeys.map((bucket): [string, BucketPeople] => [bucket, emptyBucket()]))
  const share = createEnrollmentPool()
  /** Undefined if the last refresh has failed. */
  let lineage: string | undefined
  /** Rises with each change. */
  let version = 0
  let programs: ReadonlyMap<ProgramRecordId, string> = new Map()
  let programsPosition: string | undefined
  let universities: { readonly position: string | undefined; readonly currentName: CurrentUniversityName } = {
    position: undefined,
    currentName: createCurrentUniversityName(new Map()),
  }

  function* everyone(): Iterable<IndexedPerson> {
    for (const { people } of buckets.values()) {
      for (const person of people.values()) if (!person.isErased && !person.isDeactivated) yield person
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
    // Also rejects if the read model is known to be incomplete.
    programs = await readPrograms(readModel)
    if (!isContinued || positions[programsPartition] !== programsPosition) version += 1
    programsPosition = positions[programsPartition]
    const position = positions[universitiesPartition]
    if (!isContinued || position !== universities.position) {
      universities = { position, currentName: createCurrentUniversityName(await readUniversityNames(readModel)) }
      version += 1
    }
    for (const [bucket, state] of buckets) {
      const bucketPosition = `${positions[bucket]} ${positions[enrolledPartition(bucket)]}`
      if (isContinued && state.position === bucketPosition) continue
      signal.throwIfAborted()
      const { left, isFull } = await readBucket(readModel, state, { bucket, share, room: roomIn(state) })
      state.position = bucketPosition
      version += 1
      for (const record of left) onLeft(record)
      if (isFull) logger.error({ maxPeople }, 'people index is full, further users cannot be selected by a rule')
    }
    lineage = now
  }

  return {
    buckets,
    /** Undefined for an unknown or erased user. */
    find: (userId: UserId): PersonRecord | undefined => {
      const record = buckets.get(bucketKey(userId))?.people.get(userId)
      return record?.isErased ? undefined : record
    },
    version: (): number => version,
    current: (): Population => ({ programs, currentUniversityName: universities.currentName, everyone }),
    /** Includes every change that was projected before the call. */
    refresh: shareNextRun(async (): Promise<void> => {
      for (let reads = 0; reads < maxReads; reads++) {
        await readChanged()
        if (readModel.lineage() === lineage) return
      }
    }),
  }
}
