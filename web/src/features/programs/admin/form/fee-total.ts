import { formatRupees, rupeesIn } from '../../../../ui/money.ts'

/** The sum of the semester fees; undefined while a fee is missing or is not an amount. */
const sumOf = (fees: readonly string[]): number | undefined => {
  const amounts = fees.map(rupeesIn)
  return amounts.reduce(
    (sum = 0, amount) => (amount === undefined ? undefined : sum + amount),
    fees.length === 0 ? undefined : 0,
  )
}

/** '₹30,000', if the semesters add up to another amount than the fee. A fee in words is taken as it is. */
export const differingTotal = (fee: string, semesterFees: readonly string[]): string | undefined => {
  const sum = sumOf(semesterFees)
  if (sum === undefined) return undefined
  const total = rupeesIn(fee)
  if (total === undefined && fee.trim() !== '') return undefined
  return total === sum ? undefined : formatRupees(sum)
}
