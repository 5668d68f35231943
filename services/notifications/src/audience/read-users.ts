import type { EncryptedText } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'
import { firstSemester, semesterNumber } from '@portal/contracts/catalog/enrollment'
import { openInstallments } from '@portal/contracts/catalog/installments'
import { type UniversityNames, universityNamesSchema } from '@portal/contracts/catalog/university-names'
import {
  type ProgramRecordId,
  programRecordIdSchema,
  type UniversityId,
  universityIdSchema,
  type UserId,
} from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import type { IndexedEnrollment } from './indexed-person.ts'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import {
  type EnrollmentEntry,
  enrollmentEntrySchema,
  enrollmentList,
  programList,
  programNameSchema,
  programsPartition,
  universitiesPartition,
  universityList,
  userEntrySchema,
  userIdOf,
  userList,
} from './projection.ts'

type Ranges = Pick<ReadStore, 'range'>

/** Parsing this many entries takes about two milliseconds. */
const entriesAtOnce = 500

/** Yields pages, because an asynchronous step per entry would take longer than parsing it. */
async function* pagesOf(readModel: Ranges, partition: string, list: string): AsyncGenerator<readonly Entry[]> {
  for (let from = 0; ;) {
    await yieldToEventLoop()
    const entries = await readModel.range(partition, list, { from, order: 'ascending', limit: entriesAtOnce })
    yield entries
    const last = entries.at(-1)
    if (!last || entries.length < entriesAtOnce) return
    from = last.score + 1
  }
}

export type StoredUser = {
  readonly userId: UserId
  readonly role: Role
  readonly emailVerified: boolean
  readonly isDeactivated: boolean
  /** In milliseconds since 1970. */
  readonly registeredAtMs: number
  readonly profile: EncryptedText
}

const storedUser = ({ member, value }: Entry): StoredUser => {
  const { role, profile, emailVerified = true, deactivated = false, registeredAt } = userEntrySchema.parse(value)
  const registeredAtMs = registeredAt === undefined ? 0 : Date.parse(registeredAt)
  return { userId: userIdOf(member), role, profile, emailVerified, isDeactivated: deactivated, registeredAtMs }
}

/** All users of a bucket. */
export const readUsers = async (readModel: Ranges, bucket: string): Promise<StoredUser[]> => {
  const users: StoredUser[] = []
  for await (const page of pagesOf(readModel, bucket, userList)) {
    for (const entry of page) users.push(storedUser(entry))
  }
  return users
}

/** Reads users of one bucket, at most 1,000 at once. Missing users are left out. */
export const readSomeUsers = async (
  readModel: Pick<ReadStore, 'entries'>,
  bucket: string,
  userIds: readonly UserId[],
): Promise<readonly StoredUser[]> => {
  const found = await readModel.entries(
    bucket,
    userIds.map((member) => ({ list: userList, member })),
  )
  return found.flatMap((entry) => (entry ? [storedUser(entry)] : []))
}

type StoredEnrollment = { readonly enrollment: IndexedEnrollment; readonly enrolledAtMs: number }

/** Until a payment is confirmed, nothing is paid. */
const installmentDueOf = ({
  feeAccount,
  paymentStatus,
}: Pick<EnrollmentEntry, 'feeAccount' | 'paymentStatus'>): number | undefined => {
  if (feeAccount) return openInstallments(feeAccount)[0]?.number
  return paymentStatus === 'Pending' ? 1 : undefined
}

const storedEnrollment = (entry: EnrollmentEntry): StoredEnrollment => {
  const { programId, paymentStatus, currentSemester = firstSemester, enrolledAt } = entry
  const [semester, installmentDue] = [semesterNumber(currentSemester), installmentDueOf(entry)]
  const enrolledAtMs = enrolledAt === undefined ? 0 : Date.parse(enrolledAt)
  return { enrollment: { programId, paymentStatus, semester, installmentDue }, enrolledAtMs }
}

/** The enrollments of a bucket by user. */
export const readEnrollments = async (
  readModel: Ranges,
  bucket: string,
): Promise<ReadonlyMap<UserId, readonly StoredEnrollment[]>> => {
  const byUser = new Map<UserId, StoredEnrollment[]>()
  for await (const page of pagesOf(readModel, enrolledPartition(bucket), enrollmentList)) {
    for (const { value } of page) {
      const entry = enrollmentEntrySchema.parse(value)
      const known = byUser.get(entry.userId)
      if (known) known.push(storedEnrollment(entry))
      else byUser.set(entry.userId, [storedEnrollment(entry)])
    }
  }
  return byUser
}

export const readUniversityNames = async (readModel: Ranges): Promise<ReadonlyMap<UniversityId, UniversityNames>> => {
  const universities = new Map<UniversityId, UniversityNames>()
  for await (const page of pagesOf(readModel, universitiesPartition, universityList)) {
    for (const { member, value } of page)
      universities.set(universityIdSchema.parse(member), universityNamesSchema.parse(value))
  }
  return universities
}

/** The names of the current programs, in the order of creation. */
export const readPrograms = async (readModel: Ranges): Promise<ReadonlyMap<ProgramRecordId, string>> => {
  const names = new Map<ProgramRecordId, string>()
  for await (const page of pagesOf(readModel, programsPartition, programList)) {
    for (const { member, value } of page) names.set(programRecordIdSchema.parse(member), programNameSchema.parse(value))
  }
  return names
}
