import { type AuthEvent, encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { paymentStatusSchema } from '@portal/contracts/catalog/enrollment'
import { feeAccountSchema } from '@portal/contracts/catalog/installments'
import {
  applyUniversityEvent,
  isUniversityEvent,
  type UniversityEvent,
  type UniversityNames,
  universityNamesSchema,
} from '@portal/contracts/catalog/university-names'
import { audienceProjectionRef, enrolledPartition } from '@portal/contracts/notifications/events'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { type AuthEventOf, authEventOf, type CatalogEventOf, catalogEventOf } from '../bus-messages.ts'

/**
 * What rules select by: users with their encrypted profiles in the partition of their bucket, enrollments, and the
 * names of programs and universities. The in-memory index (people-index.ts) reads all of it, and decrypts the profiles.
 */
/** Members are user ids, values are UserEntry. */
export const userList = 'users'

/** The projection's own writes are not checked again, because a refresh reads thousands of them. */
const storedUserIdSchema = z.string().brand<'UserId'>()
export const userIdOf = (member: string): UserId => storedUserIdSchema.parse(member)

export const userEntrySchema = z.object({
  role: roleSchema,
  profile: encryptedTextSchema,
  emailVerified: z.literal(false).optional(),
  deactivated: z.literal(true).optional(),
  /** ISO 8601. */
  registeredAt: z.string().optional(),
})
type UserEntry = z.infer<typeof userEntrySchema>

/** Members are `{userId} {programId}`, values are EnrollmentEntry. */
export const enrollmentList = 'enrollments'
export const enrollmentMember = ({ userId, programId }: Pick<EnrollmentEntry, 'userId' | 'programId'>): string =>
  `${userId} ${programId}`

export const enrollmentEntrySchema = z.object({
  userId: storedUserIdSchema,
  programId: z.string().brand<'ProgramRecordId'>(),
  paymentStatus: paymentStatusSchema,
  /** The name at that time. */
  programName: z.string().optional(),
  currentSemester: z.string().optional(),
  /** Absent until a payment is confirmed. */
  feeAccount: feeAccountSchema.optional(),
  /** ISO 8601. */
  enrolledAt: z.string().optional(),
  /** The admin who enrolled the learner. */
  enrolledBy: storedUserIdSchema.optional(),
})
export type EnrollmentEntry = z.infer<typeof enrollmentEntrySchema>

export const programsPartition = 'programs'

/** Members are the ids of current programs in the order of creation, values are their names. */
export const programList = 'programs'
export const programNameSchema = z.string()

export const universitiesPartition = 'universities'

/** Members are university ids, values are UniversityNames. */
export const universityList = 'universities'

/** Puts an entry behind the others. A known entry stays where it is. */
const putEntry = async (
  { partition, list, member }: { readonly partition: string; readonly list: string; readonly member: string },
  value: UserEntry | EnrollmentEntry | UniversityNames | string,
  view: ReadModelView,
): Promise<Write> => {
  const known = await view.entry(partition, list, member)
  if (known) return { op: 'add', list, member, score: known.score, value }
  const [last] = await view.range(partition, list, { order: 'descending', limit: 1 })
  return { op: 'add', list, member, score: (last?.score ?? 0) + 1, value }
}

const userTypes = [
  'UserRegistered',
  'UserProfileChanged',
  'UserRoleChanged',
  'EmailProved',
  'UserDeactivated',
  'UserReactivated',
  'UserEmailReleased',
  'UserErased',
] as const
const isUserType = (type: string): type is (typeof userTypes)[number] => userTypes.some((known) => known === type)

type UserEvent = AuthEventOf<(typeof userTypes)[number]>
const isUserEvent = (event: AuthEvent): event is UserEvent => isUserType(event.type)

const applyUser = async (event: UserEvent, envelope: Envelope, view: ReadModelView): Promise<readonly Write[]> => {
  const partition = envelope.key
  const member = event.data.userId
  const at = { partition, list: userList, member }
  if (event.type === 'UserRegistered') {
    const { role, profile, emailVerified } = event.data
    const entry: UserEntry = {
      role,
      profile,
      registeredAt: eventTime(envelope),
      ...(emailVerified === false && { emailVerified }),
    }
    return [await putEntry(at, entry, view)]
  }
  const found = await view.entry(partition, userList, member)
  if (!found) return []
  const known = userEntrySchema.parse(found.value)
  const replace = (value: UserEntry): Write => ({ op: 'add', list: userList, member, score: found.score, value })
  switch (event.type) {
    case 'UserProfileChanged':
      return [replace({ ...known, profile: event.data.profile })]
    case 'UserRoleChanged':
      return [replace({ ...known, role: event.data.role })]
    case 'EmailProved':
      return [replace({ ...known, emailVerified: undefined })]
    case 'UserDeactivated':
      return [replace({ ...known, deactivated: true })]
    case 'UserReactivated':
      return [replace({ ...known, deactivated: undefined })]
    case 'UserEmailReleased':
    case 'UserErased':
      return [{ op: 'remove', list: userList, member }]
  }
}

/** Who has enrolled a learner, after the last withdrawal: it can be undone. Keys are members of `enrollmentList`. */
const withdrawnCollection = 'withdrawn'

type EnrollmentMessage = CatalogEventOf<'LearnerEnrolled' | 'EnrollmentChanged' | 'EnrollmentEnded'>

const enrolledByOf = ({ actorId }: Envelope, userId: UserId) =>
  actorId === undefined || actorId === userId ? undefined : userIdOf(actorId)

const applyEnrollment = async (
  event: EnrollmentMessage,
  envelope: Envelope,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const partition = enrolledPartition(envelope.key)
  const { userId } = event.data
  const atProgram = (programId: ProgramRecordId) => ({
    partition,
    list: enrollmentList,
    member: enrollmentMember({ userId, programId }),
  })
  const readEnrolledBy = async (member: string) => {
    const found = await view.entry(partition, enrollmentList, member)
    return found && enrollmentEntrySchema.parse(found.value).enrolledBy
  }
  const readFormer = async (key: string) =>
    enrollmentEntrySchema.shape.enrolledBy.parse(await view.get({ partition, collection: withdrawnCollection, key }))
  switch (event.type) {
    case 'LearnerEnrolled': {
      const enrolledBy = enrolledByOf(envelope, userId)
      const { movedFrom: _, ...enrolled } = event.data
      return [await putEntry(atProgram(enrolled.programId), { ...enrolled, enrolledBy }, view)]
    }
    case 'EnrollmentChanged': {
      const { enrollment, change } = event.data
      const at = atProgram(enrollment.programId)
      const enrolledBy = change === 'reinstated' ? await readFormer(at.member) : await readEnrolledBy(at.member)
      return [await putEntry(at, { userId, ...enrollment, enrolledBy }, view)]
    }
    case 'EnrollmentEnded': {
      const { list, member } = atProgram(event.data.programId)
      const ended: Write = { op: 'remove', list, member }
      if (event.data.change === 'moved') return [ended]
      const former = { collection: withdrawnCollection, key: member }
      const enrolledBy = await readEnrolledBy(member)
      return [ended, enrolledBy ? { op: 'put', ...former, value: enrolledBy } : { op: 'delete', ...former }]
    }
  }
}

const programAt = (programId: ProgramRecordId) => ({
  partition: programsPartition,
  list: programList,
  member: programId,
})

const applyUniversity = async (event: UniversityEvent, view: ReadModelView): Promise<readonly Write[]> => {
  const at = { partition: universitiesPartition, list: universityList, member: event.data.universityId }
  const found = await view.entry(at.partition, at.list, at.member)
  const names = applyUniversityEvent(found && universityNamesSchema.parse(found.value), event)
  return names === undefined ? [] : [await putEntry(at, names, view)]
}

export const audienceProjection: Projection = {
  ...audienceProjectionRef,
  topics: ['auth', 'catalog'],
  partitionOf: ({ topic, type, key }) => {
    if (topic === 'auth') return isUserType(type) ? key : undefined
    if (type === 'LearnerEnrolled' || type.startsWith('Enrollment')) return enrolledPartition(key)
    if (type === 'ProgramSaved' || type === 'ProgramRemoved') return programsPartition
    return type.startsWith('University') ? universitiesPartition : undefined
  },
  apply: async (envelope, view) => {
    if (envelope.topic === 'auth') {
      const event = authEventOf(envelope)
      return isUserEvent(event) ? applyUser(event, envelope, view) : []
    }
    const event = catalogEventOf(envelope)
    if (isUniversityEvent(event)) return applyUniversity(event, view)
    switch (event.type) {
      case 'LearnerEnrolled':
      case 'EnrollmentChanged':
      case 'EnrollmentEnded':
        return applyEnrollment(event, envelope, view)
      case 'ProgramSaved': {
        const { _id, programName } = event.data.program
        return [await putEntry(programAt(_id), programName, view)]
      }
      case 'ProgramRemoved':
        return [{ op: 'remove', list: programList, member: event.data.programId }]
      default:
        throw new Error(`${event.type} selects nobody`)
    }
  },
}
