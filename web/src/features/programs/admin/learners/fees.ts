import type { FeeAccount } from '@portal/contracts/catalog/fee-account'
import { installmentsOf, openInstallments } from '@portal/contracts/catalog/installments'
import type { Program } from '@portal/contracts/catalog/program'
import type { ListedLearner } from '@portal/contracts/notifications/learners'

export type ProgramFees = Pick<Program, 'semesters' | 'semesterCount' | 'fee'>
type Fees = Pick<ListedLearner, 'feeAccount' | 'paymentStatus'>

/** What a learner owes; undefined while it is unknown. Without an account nothing is paid. */
export const accountOf = ({ feeAccount }: Fees, program: ProgramFees | undefined): FeeAccount | undefined =>
  feeAccount ?? (program && { installmentsPaise: installmentsOf(program), paidPaise: 0 })

/** What the next installment of a learner costs. */
const nextPaise = (learner: Fees, program: ProgramFees | undefined): number | undefined => {
  const account = learner.paymentStatus === 'Completed' ? undefined : accountOf(learner, program)
  return account && openInstallments(account)[0]?.openPaise
}

/** The amount that most of the learners owe next, the first of equals; undefined if no one owes anything. */
export const usualAmount = (learners: readonly Fees[], program: ProgramFees | undefined): number | undefined => {
  const counts = new Map<number, number>()
  for (const learner of learners) {
    const paise = nextPaise(learner, program)
    if (paise !== undefined) counts.set(paise, (counts.get(paise) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
