import type { CatalogEvent } from '@portal/contracts/catalog/events'
import { type Program, programCodeSchema } from '@portal/contracts/catalog/program'
import { type ProgramRecordId, programRecordIdSchema, type UserId } from '@portal/contracts/shared/ids'

export const programIdAt = (n: number): ProgramRecordId =>
  programRecordIdSchema.parse(`01900004-0000-7000-8000-${n.toString(16).padStart(12, '0')}`)

export const savedProgram = (n: number, programName: string): CatalogEvent => {
  const program: Program = {
    _id: programIdAt(n),
    programId: programCodeSchema.parse(`MIN-${n}`),
    programName,
    detail: '',
    semesterCount: 1,
    fee: '',
    collegeName: '',
    eligibility: '',
    semesters: [],
    enrollmentDetails: { fee: '' },
    toolkit: [],
    facts: [],
  }
  return { type: 'ProgramSaved', data: { program } }
}

export const enrollmentOf = (n: number, userId: UserId, paymentStatus: 'Pending' | 'Completed' = 'Pending') => ({
  userId,
  programId: programIdAt(n),
  programName: 'The name at that time',
  currentSemester: 'Semester 1',
  paymentStatus,
  enrolledAt: '2026-11-01T00:00:00.000Z',
})

export const enrolledIn = (n: number, userId: UserId, paymentStatus: 'Pending' | 'Completed'): CatalogEvent => ({
  type: 'LearnerEnrolled',
  data: enrollmentOf(n, userId, paymentStatus),
})
