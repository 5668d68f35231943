import { amountPaiseSchema, type FeeAccount, paisePerRupee } from './fee-account.ts'
import type { Program } from './program.ts'

// Apart from the rules below, which pages that only read enrollments do not need.
export { amountPaiseSchema, type FeeAccount, feeAccountSchema, paisePerRupee } from './fee-account.ts'

/** The installment of a semester for which the program sets no fee. */
export const defaultInstallmentPaise = 15_000 * paisePerRupee

/** The first amount in a fee such as '₹15,000' or 'Rs. 1,00,000.50'; 0 for 'free'. */
const paiseOf = (fee: string): number => {
  const [, rupees = '', hundredths = ''] = /(\d[\d,]*)(?:\.(\d{1,2})(?!\d))?/.exec(fee) ?? []
  return Number(rupees.replaceAll(',', '')) * paisePerRupee + Number(hundredths.padEnd(2, '0'))
}

/** The remainder is part of the first. */
const splitEvenly = (totalPaise: number, parts: number): readonly number[] => {
  const each = Math.floor(totalPaise / parts)
  return Array.from({ length: parts }, (_, index) => (index === 0 ? totalPaise - each * (parts - 1) : each))
}

/** One installment per semester. A program with a total fee only is paid in equal parts. */
export const installmentsOf = ({
  semesters,
  semesterCount,
  fee,
}: Pick<Program, 'semesters' | 'semesterCount' | 'fee'>): number[] => {
  const fees = Array.from({ length: semesterCount }, (_, index) => semesters[index]?.fee ?? '')
  const hasOnlyTotal = fee !== '' && fees.every((one) => one === '')
  const amounts = hasOnlyTotal
    ? splitEvenly(paiseOf(fee), semesterCount)
    : fees.map((one) => (one === '' ? defaultInstallmentPaise : paiseOf(one)))
  return amounts.filter((amount) => amountPaiseSchema.safeParse(amount).success)
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

export const isPaidInFull = ({ installmentsPaise, paidPaise }: FeeAccount): boolean =>
  installmentsPaise.length > 0 && paidPaise >= sum(installmentsPaise)

export type OpenInstallment = {
  /** Starts at 1. */
  readonly number: number
  readonly openPaise: number
}

/** The installments that are not paid, the next one first. It may be paid in part if the fees of the program have changed. */
export const openInstallments = ({ installmentsPaise, paidPaise }: FeeAccount): readonly OpenInstallment[] => {
  let restPaise = paidPaise
  return installmentsPaise.flatMap((amount, index) => {
    const openPaise = amount - Math.min(amount, restPaise)
    restPaise -= amount - openPaise
    return openPaise === 0 ? [] : [{ number: index + 1, openPaise }]
  })
}

/** Whether a payment pays one or more of the next installments, each in full. */
export const paysInstallments = (account: FeeAccount, amountPaise: number): boolean => {
  let totalPaise = 0
  return openInstallments(account).some(({ openPaise }) => (totalPaise += openPaise) === amountPaise)
}
