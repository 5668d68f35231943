import { firstSemester, type EnrolledProgram, type Enrollment } from '@portal/contracts/catalog/enrollment'
import { type Program, programCodeSchema } from '@portal/contracts/catalog/program'
import type { CatalogChanged, EnrollmentChanged, EnrollmentEnded } from '@portal/contracts/catalog/socket'
import { programRecordIdSchema, toolIdSchema, type ProgramRecordId } from '@portal/contracts/shared/ids'
import { ok, problem, type FakeHandler, type FakeRequest } from './fake-portal.ts'

export const programIdOf = (n: number): ProgramRecordId =>
  programRecordIdSchema.parse(`01930000-0000-7000-9000-${String(n).padStart(12, '0')}`)

export const toolIdOf = (n: number) => toolIdSchema.parse(`01930000-0000-7000-a000-${String(n).padStart(12, '0')}`)

const timeOf = (n: number) => new Date(Date.parse('2026-11-21T09:00:00.000Z') + n * 60_000).toISOString()

type ProgramFields = Partial<Omit<Program, 'programId'>> & { readonly programId?: string }

export const aProgram = (n: number, { programId = `MIN-${n}`, ...fields }: ProgramFields = {}): Program => ({
  _id: programIdOf(n),
  programId: programCodeSchema.parse(programId),
  programName: `Minor ${n}`,
  detail: `What minor ${n} is about.`,
  semesterCount: 3,
  fee: '45000',
  collegeName: 'Technical institute',
  eligibility: 'Any undergraduate',
  semesters: [],
  enrollmentDetails: { fee: '1000' },
  toolkit: [],
  facts: [],
  ...fields,
})

/** The server's state of the catalog and of one learner's enrollments. Tests compare the client with it. */
export const fakeCatalog = (start: readonly Program[] = []) => {
  let programs = start
  let withdrawn: readonly Program[] = []
  let enrollments: readonly Enrollment[] = []
  let ended: readonly Enrollment[] = []
  let happened = 0

  const find = (id: ProgramRecordId | string) => programs.find(({ _id }) => _id === id)

  /** Adds, changes or restores a program. */
  const save = (program: Program): CatalogChanged => {
    withdrawn = withdrawn.filter(({ _id }) => _id !== program._id)
    programs = find(program._id)
      ? programs.map((known) => (known._id === program._id ? program : known))
      : [...programs, program]
    const { _id, programName } = program
    enrollments = enrollments.map((one) => (one.programId === _id ? { ...one, programName, withdrawnAt: null } : one))
    return { kind: 'program-saved', program }
  }

  const remove = (programId: ProgramRecordId): CatalogChanged => {
    happened += 1
    const removedAt = timeOf(happened)
    withdrawn = [...withdrawn, ...programs.filter(({ _id }) => _id === programId)]
    programs = programs.filter(({ _id }) => _id !== programId)
    enrollments = enrollments.map((one) => (one.programId === programId ? { ...one, withdrawnAt: removedAt } : one))
    return { kind: 'program-removed', programId, removedAt }
  }

  const enroll = (
    programId: ProgramRecordId,
    paymentStatus: Enrollment['paymentStatus'] = 'Pending',
  ): EnrollmentChanged => {
    happened += 1
    const before = enrollments.find((one) => one.programId === programId)
    const enrollment: Enrollment = before ?? {
      programId,
      programName: find(programId)?.programName ?? '',
      currentSemester: firstSemester,
      paymentStatus,
      enrolledAt: timeOf(happened),
      withdrawnAt: null,
    }
    if (!before) enrollments = [enrollment, ...enrollments]
    return { enrollment }
  }

  /** A withdrawal, or a move to another program. */
  const end = (programId: ProgramRecordId): EnrollmentEnded => {
    ended = [...enrollments.filter((one) => one.programId === programId), ...ended]
    enrollments = enrollments.filter((one) => one.programId !== programId)
    return { programId }
  }

  /** The withdrawal was a mistake. Undefined if there was none, or the learner has enrolled again. */
  const reinstate = (programId: ProgramRecordId): EnrollmentChanged | undefined => {
    const before = ended.find((one) => one.programId === programId)
    if (!before || enrollments.some((one) => one.programId === programId)) return undefined
    const enrollment = { ...before, programName: find(programId)?.programName ?? '', withdrawnAt: null }
    enrollments = [enrollment, ...enrollments].toSorted((a, b) => (a.enrolledAt < b.enrolledAt ? 1 : -1))
    return { enrollment }
  }

  /** An admin changes an enrollment. */
  const change = (programId: ProgramRecordId, changes: Partial<Enrollment>): EnrollmentChanged | undefined => {
    enrollments = enrollments.map((one) => (one.programId === programId ? { ...one, ...changes } : one))
    const enrollment = enrollments.find((one) => one.programId === programId)
    return enrollment && { enrollment }
  }

  const enrolled = (id: string): EnrolledProgram | null => {
    const enrollment = enrollments.find(({ programId }) => programId === id)
    const program = find(id) ?? withdrawn.find(({ _id }) => _id === id)
    return enrollment && program ? { ...program, enrollment } : null
  }

  return {
    save,
    remove,
    enroll,
    end,
    reinstate,
    change,
    find,
    enrolled,
    programs: () => programs,
    removed: () => withdrawn,
    enrollments: () => enrollments,
  }
}
export type FakeCatalog = ReturnType<typeof fakeCatalog>

const idIn = ({ path }: FakeRequest, place: number) => path.split('/')[place] ?? ''

/** Handlers of the learner's program routes. */
export const catalogAnswers = (catalog: FakeCatalog) => {
  const notFound = problem(404, 'not-found', 'Program not found')
  return {
    'GET /allprograms': () => ({ status: 200, body: catalog.programs() }),
    'GET /programs/:id': (request: FakeRequest) => {
      const program = catalog.find(idIn(request, 2))
      return program ? ok({ data: program }) : notFound
    },
    'POST /programs/:id/enroll': (request: FakeRequest) => {
      const program = catalog.find(idIn(request, 2))
      return program ? ok({ data: catalog.enroll(program._id).enrollment }) : notFound
    },
    'GET /user/my-programs': () => ok({ programs: catalog.enrollments(), data: catalog.enrollments() }),
    'GET /user/programs/:id': (request: FakeRequest) => {
      const program = catalog.enrolled(idIn(request, 3))
      return program ? ok({ data: program }) : notFound
    },
  } satisfies Record<string, FakeHandler>
}
