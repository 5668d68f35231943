import type { Program } from '@portal/contracts/catalog/program'
import { formatRupees } from '../../ui/money.ts'
import { fallbackFirstSemesterFee, fallbackSemesterFee } from './placeholders.ts'

export type ProgramVariant = 'enrolled' | 'not-registered'

const fallbackOf = (index: number, variant: ProgramVariant): number =>
  index === 0 && variant === 'not-registered' ? fallbackFirstSemesterFee : fallbackSemesterFee

/** The formatted fee of each semester: that of the program, or the default. */
export const semesterFees = (
  { semesters, semesterCount }: Pick<Program, 'semesters' | 'semesterCount'>,
  variant: ProgramVariant,
): readonly string[] =>
  Array.from({ length: semesterCount }, (_, index) => formatRupees(semesters[index]?.fee || fallbackOf(index, variant)))
