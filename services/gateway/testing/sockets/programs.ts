import { type Program, programCodeSchema } from '@portal/contracts/catalog/program'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'

export const programNumber = (number: number, more: Partial<Program> = {}): Program => ({
  _id: programRecordIdSchema.parse(`0199a7c0-0000-7000-8000-${number.toString(16).padStart(12, '0')}`),
  programId: programCodeSchema.parse(`MIN-${number}`),
  programName: `Program ${number}`,
  detail: '',
  semesterCount: 3,
  fee: '₹45,000',
  collegeName: '',
  eligibility: '',
  semesters: [],
  enrollmentDetails: { fee: '1000' },
  toolkit: [],
  facts: [],
  ...more,
})
