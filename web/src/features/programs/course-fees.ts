import type { Program } from '@portal/contracts/catalog/program'
import { formatRupees } from '../../ui/money.ts'
import { fallbackFirstSemesterFee, fallbackSemesterFee } from './placeholders.ts'

export type ProgramVariant = 'enrolled' | 'not-registered'

const fallbackOf = (index: number, variant: ProgramVariant): number =>
  index === 0 && variant === 'not-registered' ? fallbackFirstSemesterFee : fallbackSemesterFee

/**
 * The formatted fee of each semester: that of the program, or the default. None if the program has a total but no fee of a
 * semester: defaults would not add up to the total.
 */
export const semesterFees = (
  { semesters, semesterCount, fee }: Pick<Program, 'semesters' | 'semesterCount' | 'fee'>,
  variant: ProgramVariant,
): readonly string[] => {
  if (fee !== '' && semesters.every((semester) => semester.fee === '')) return []
  return Array.from({ length: semesterCount }, (_, index) =>
    formatRupees(semesters[index]?.fee || fallbackOf(index, variant)),
  )
}
