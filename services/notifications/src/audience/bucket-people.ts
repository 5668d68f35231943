import type { EncryptedText } from '@portal/contracts/auth/events'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { IndexedEnrollment, ProgramLearners, RankedPerson } from './indexed-person.ts'
import { readEnrollments, readUsers, type StoredUser } from './read-users.ts'

/** A user in the index. Only the index changes it, so that a change of a few users costs little. */
export type PersonRecord = { -readonly [Field in keyof RankedPerson]: RankedPerson[Field] } & {
  /** Identifies the ciphertext of the profile, which is too long to keep. */
  fingerprint: number
  /** The key of the user has been destroyed. The projection removes them soon. */
  isErased: boolean
}

/** The users of one bucket. */
export type BucketPeople = {
  /** The positions of the projection that it was read at. */
  position: string
  /** Sorted by id. */
  people: ReadonlyMap<UserId, PersonRecord>
  /** Those who are enrolled, by program. */
  learners: ReadonlyMap<ProgramRecordId, ProgramLearners>
  /** Users whose current profile has not been decrypted yet. */
  undecrypted: Set<UserId>
}

export const emptyBucket = (): BucketPeople => ({
  position: '',
  people: new Map(),
  learners: new Map(),
  undecrypted: new Set(),
})

/** A 53-bit hash. Compared only with that of the same user's previous profile. */
export const fingerprintOf = (text: EncryptedText): number => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  return 0x1_0000_0000 * (0x1f_ffff & high) + (low >>> 0)
}

/** The rank of a user who has no place yet. */
export const unsorted = Number.MAX_SAFE_INTEGER

const noEnrollments: readonly IndexedEnrollment[] = []

const newRecord = ({ userId, role, emailVerified, isDeactivated, registeredAtMs }: StoredUser): PersonRecord => ({
  userId,
  role,
  emailVerified,
  isDeactivated,
  registeredAtMs,
  enrollments: noEnrollments,
  profile: undefined,
  fingerprint: -1,
  isErased: false,
  rank: unsorted,
  emailRank: unsorted,
  registrationRank: unsorted,
})

/** Shares equal enrollments, because there are only a few hundred different ones. */
export const createEnrollmentPool = () => {
  const pool = new Map<string, IndexedEnrollment>()
  return (enrollment: IndexedEnrollment): IndexedEnrollment => {
    const { programId, paymentStatus, semester, installmentDue } = enrollment
    const key = `${programId} ${paymentStatus} ${semester} ${installmentDue}`
    const known = pool.get(key)
    if (!known) pool.set(key, enrollment)
    return known ?? enrollment
  }
}

const createLearnersByProgram = () => {
  type Building = { people: PersonRecord[]; enrollments: IndexedEnrollment[]; enrolledAtMs: number[] }
  const learners = new Map<ProgramRecordId, Building>()
  const add = (record: PersonRecord, enrollment: IndexedEnrollment, enrolledAtMs: number): void => {
    const { programId } = enrollment
    const known = learners.get(programId)
    if (!known) learners.set(programId, { people: [record], enrollments: [enrollment], enrolledAtMs: [enrolledAtMs] })
    known?.people.push(record)
    known?.enrollments.push(enrollment)
    known?.enrolledAtMs.push(enrolledAtMs)
  }
  return { learners, add }
}

type Changed = {
  readonly bucket: string
  readonly share: (enrollment: IndexedEnrollment) => IndexedEnrollment
  /** How many users the bucket may have. */
  readonly room: number
}

/**
 * Reads a bucket again and returns the users who have left it. Known users keep their decrypted profile as long as
 * its ciphertext is the same.
 */
export const readBucket = async (
  readModel: Pick<ReadStore, 'range'>,
  state: BucketPeople,
  { bucket, share, room }: Changed,
): Promise<{ readonly left: readonly PersonRecord[]; readonly isFull: boolean }> => {
  const stored = await readUsers(readModel, bucket)
  const enrollments = await readEnrollments(readModel, bucket)

  const people = new Map<UserId, PersonRecord>()
  const undecrypted = new Set<UserId>()
  const { learners, add: addLearner } = createLearnersByProgram()
  for (const user of stored.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)).slice(0, room)) {
    const known = state.people.get(user.userId)
    // Another registration has another place in the order of registrations.
    const record = known?.registeredAtMs === user.registeredAtMs ? known : newRecord(user)
    const fingerprint = fingerprintOf(user.profile)
    if (record.fingerprint !== fingerprint || state.undecrypted.has(user.userId)) undecrypted.add(user.userId)
    record.fingerprint = fingerprint
    record.role = user.role
    record.emailVerified = user.emailVerified
    record.isDeactivated = user.isDeactivated
    const enrolled = enrollments.get(user.userId)
    record.enrollments = enrolled?.map(({ enrollment }) => share(enrollment)) ?? noEnrollments
    for (const [index, enrollment] of record.enrollments.entries())
      addLearner(record, enrollment, enrolled?.[index]?.enrolledAtMs ?? 0)
    people.set(user.userId, record)
  }
  const left = [...state.people.values()].filter((record) => people.get(record.userId) !== record)
  state.people = people
  state.learners = learners
  state.undecrypted = undecrypted
  return { left, isFull: stored.length > room }
}
