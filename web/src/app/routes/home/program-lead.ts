import type { Program } from '@portal/contracts/catalog/program'
import { facts, factTexts, rupees, semesters } from '../../../features/landing/facts.ts'
import { formatRupees } from '../../../ui/money.ts'

type Offer = Pick<Program, 'semesterCount' | 'fee'>

/** The value that all items have in common. */
const shared = <Value>(values: readonly Value[]): Value | undefined => {
  const [first, ...others] = values
  return others.every((value) => value === first) ? first : undefined
}

/** What is true of every program, in one sentence. */
export const leadOf = (programs: readonly Offer[]): string => {
  if (programs.length === 0) return ''
  const length = shared(programs.map(({ semesterCount }) => semesterCount))
  const fee = shared(programs.map((program) => formatRupees(program.fee)))
  if (length === semesters && fee === rupees(facts.fee.totalRupees))
    return `Each is ${factTexts.credits} and costs ${factTexts.fee}.`
  const parts = [
    length !== undefined && `takes ${length} ${length === 1 ? 'semester' : 'semesters'}`,
    fee?.startsWith('₹') && `costs ${fee}`,
  ].filter(Boolean)
  return parts.length > 0 ? `Each ${parts.join(' and ')}.` : `${programs.length} programs to choose from.`
}
