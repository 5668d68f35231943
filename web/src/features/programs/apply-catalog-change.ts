import type { EnrolledProgram, Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import type { CatalogChanged, EnrollmentChanged } from '@portal/contracts/catalog/socket'

/** A change of a program or of the reader's own enrollments. */
export type CatalogChange = CatalogChanged | ({ readonly kind: 'enrollment-changed' } & EnrollmentChanged)

/**
 * What an answer of the catalog becomes by one change: what a fetch after it would bring (apply-catalog-change.test.ts). A
 * change that the answer already holds does no harm, so that changes can be applied again to a newer answer.
 */
export type Apply<T> = (known: T, change: CatalogChange) => T

/** A known program keeps its place; a new one is last, as programs are in the order in which they were added. */
export const applyToPrograms: Apply<readonly Program[]> = (programs, change) => {
  if (change.kind === 'enrollment-changed') return programs
  if (change.kind === 'program-removed') return programs.filter(({ _id }) => _id !== change.programId)
  const { program } = change
  return programs.some(({ _id }) => _id === program._id)
    ? programs.map((known) => (known._id === program._id ? program : known))
    : [...programs, program]
}

const applyToEnrollment: Apply<Enrollment> = (enrollment, change) => {
  const { programId } = enrollment
  if (change.kind === 'program-saved')
    return change.program._id === programId ? { ...enrollment, programName: change.program.programName } : enrollment
  if (change.kind === 'program-removed')
    return change.programId === programId ? { ...enrollment, withdrawnAt: change.removedAt } : enrollment
  return change.enrollment.programId === programId ? change.enrollment : enrollment
}

/** The newest enrollment comes first. */
export const applyToEnrollments: Apply<readonly Enrollment[]> = (enrollments, change) =>
  change.kind === 'enrollment-changed' &&
  !enrollments.some(({ programId }) => programId === change.enrollment.programId)
    ? [change.enrollment, ...enrollments]
    : enrollments.map((enrollment) => applyToEnrollment(enrollment, change))

/** Null once the program has been removed. */
export const applyToProgram: Apply<Program | null> = (program, change) => {
  if (!program || change.kind === 'enrollment-changed') return program
  if (change.kind === 'program-removed') return change.programId === program._id ? null : program
  return change.program._id === program._id ? change.program : program
}

/** A withdrawn program keeps its last version. */
export const applyToEnrolledProgram: Apply<EnrolledProgram> = (known, change) => ({
  ...known,
  ...(change.kind === 'program-saved' && change.program._id === known._id ? change.program : {}),
  enrollment: applyToEnrollment(known.enrollment, change),
})
