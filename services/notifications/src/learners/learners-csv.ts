import { type FeeAccount, openInstallments, paisePerRupee } from '@portal/contracts/catalog/installments'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { csvFile, inZone, timeCell } from '../csv.ts'

const header = [
  'Name',
  'Email',
  'University',
  'Student code',
  'State',
  'Semester',
  'Payment',
  'Paid (INR)',
  'Open (INR)',
  inZone('Enrolled at'),
  'Enrolled by',
  'User id',
]

const rupees = (paise: number): string => String(paise / paisePerRupee)

/** Empty until a payment is confirmed: what is open then depends on the program. */
const feeCells = (account: FeeAccount | undefined): readonly string[] => {
  if (account === undefined) return ['', '']
  const openPaise = openInstallments(account).reduce((total, one) => total + one.openPaise, 0)
  return [rupees(account.paidPaise), rupees(openPaise)]
}

const cellsOf = (learner: ListedLearner): readonly string[] => {
  const { fullName, personalEmail, universityName, studentCode, state } = learner
  const { currentSemester, paymentStatus, feeAccount, enrolledAt, enrolledBy = '', userId } = learner
  const person = [fullName, personalEmail, universityName, studentCode, state]
  return [...person, currentSemester, paymentStatus, ...feeCells(feeAccount), timeCell(enrolledAt), enrolledBy, userId]
}

export const learnersCsv = (
  count: number,
  rows: (from: number, to: number) => Promise<readonly ListedLearner[]>,
): AsyncGenerator<string, void> => csvFile(header, count, async (from, to) => (await rows(from, to)).map(cellsOf))
