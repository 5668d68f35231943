import type { EnrolledProgram, Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import type { CatalogChanged, EnrollmentChanged, EnrollmentEnded } from '@portal/contracts/catalog/socket'

/** A change of a program or of the reader's own enrollments. */
export type CatalogChange =
  | CatalogChanged
  | ({ readonly kind: 'enrollment-changed' } & EnrollmentChanged)
  | ({ readonly kind: 'enrollment-ended' } & EnrollmentEnded)

type EnrollmentChange = Exclude<CatalogChange, CatalogChanged>
const concernsEnrollment = (change: CatalogChange): change is EnrollmentChange =>
  change.kind === 'enrollment-changed' || change.kind === 'enrollment-ended'

/**
 * Applies a change to a response of the catalog. The result equals a fresh fetch (apply-catalog-change.test.ts). A change that
 * the response already contains has no effect, so changes may be applied again to a newer response.
 */
export type Apply<T> = (known: T, change: CatalogChange) => T

/** A known program keeps its position. A new or restored one is appended. */
export const applyToPrograms: Apply<readonly Program[]> = (programs, change) => {
  if (concernsEnrollment(change)) return programs
  if (change.kind === 'program-removed') return programs.filter(({ _id }) => _id !== change.programId)
  const { program } = change
  return programs.some(({ _id }) => _id === program._id)
    ? programs.map((known) => (known._id === program._id ? program : known))
    : [...programs, program]
}

const applyToEnrollment: Apply<Enrollment> = (enrollment, change) => {
  const { programId } = enrollment
  if (change.kind === 'program-saved')
    return change.program._id === programId
      ? { ...enrollment, programName: change.program.programName, withdrawnAt: null }
      : enrollment
  if (change.kind === 'program-removed')
    return change.programId === programId ? { ...enrollment, withdrawnAt: change.removedAt } : enrollment
  return change.kind === 'enrollment-changed' && change.enrollment.programId === programId
    ? change.enrollment
    : enrollment
}

/** The newest enrollment comes first; one that was withdrawn by mistake is back in its place. */
export const applyToEnrollments: Apply<readonly Enrollment[]> = (enrollments, change) => {
  if (change.kind === 'enrollment-ended') return enrollments.filter(({ programId }) => programId !== change.programId)
  return change.kind === 'enrollment-changed' &&
    !enrollments.some(({ programId }) => programId === change.enrollment.programId)
    ? [change.enrollment, ...enrollments].toSorted((a, b) => b.enrolledAt.localeCompare(a.enrolledAt))
    : enrollments.map((enrollment) => applyToEnrollment(enrollment, change))
}

/** Null while the program is removed. */
export const applyToProgram =
  (id: string): Apply<Program | null> =>
  (program, change) => {
    if (concernsEnrollment(change)) return program
    if (change.kind === 'program-removed') return change.programId === id ? null : program
    return change.program._id === id ? change.program : program
  }

/** A withdrawn program keeps its last version. */
export const applyToEnrolledProgram: Apply<EnrolledProgram> = (known, change) => ({
  ...known,
  ...(change.kind === 'program-saved' && change.program._id === known._id ? change.program : {}),
  enrollment: applyToEnrollment(known.enrollment, change),
})
