import type { Enrollment, EnrolledProgram } from '@portal/contracts/catalog/enrollment'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type ProgramRecordId, programRecordIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import type { ProgramReader } from '../program/program-reader.ts'
import type { ProgramDocument } from '../program/projection.ts'
import { maxEnrollments } from './decider.ts'
import { enrollmentEntrySchema, enrollmentList } from './projection.ts'

type EnrollmentReaderDeps = {
  readonly readModel: ReadStore
  readonly programs: Pick<ProgramReader, 'documents'>
}

/** Uses the program's current name, or its last one. The document is missing only during a rebuild. */
const toEnrollment = ({ member, value }: Entry, document: ProgramDocument | undefined): Enrollment => {
  const entry = enrollmentEntrySchema.parse(value)
  return {
    ...entry,
    programId: programRecordIdSchema.parse(member),
    programName: document?.program.programName ?? entry.programName,
    withdrawnAt: document?.removedAt ?? null,
  }
}

/** Reads a learner's enrollments, joined with their programs. */
export const createEnrollmentReader = ({ readModel, programs }: EnrollmentReaderDeps) => {
  const find = async (userId: UserId, programId: ProgramRecordId) => {
    const entry = await readModel.entry(bucketKey(userId), enrollmentList(userId), programId)
    if (entry === undefined) return undefined
    const [document] = await programs.documents([programId])
    return { enrollment: toEnrollment(entry, document), document }
  }

  return {
    /** Newest first. An enrollment that was withdrawn by mistake is back in its place. */
    all: async (userId: UserId): Promise<Enrollment[]> => {
      const range = { order: 'descending', limit: maxEnrollments } as const
      const entries = await readModel.range(bucketKey(userId), enrollmentList(userId), range)
      const documents = await programs.documents(entries.map(({ member }) => programRecordIdSchema.parse(member)))
      return entries
        .map((entry, index) => toEnrollment(entry, documents[index]))
        .toSorted((a, b) => b.enrolledAt.localeCompare(a.enrolledAt))
    },
    get: async (userId: UserId, programId: ProgramRecordId): Promise<Enrollment | undefined> =>
      (await find(userId, programId))?.enrollment,
    /** The program, or its last version if it was deleted. Undefined if the learner is not enrolled in it. */
    program: async (userId: UserId, programId: ProgramRecordId): Promise<EnrolledProgram | undefined> => {
      const found = await find(userId, programId)
      return found?.document && { ...found.document.program, enrollment: found.enrollment }
    },
  }
}
export type EnrollmentReader = ReturnType<typeof createEnrollmentReader>
