import type { Program } from '@portal/contracts/catalog/program'
import { hasWords, plainText } from '../../../../lib/search-text.ts'
import type { SortKey } from '../../../../ui/table/sort.ts'
import type { Column } from '../../../../ui/table/data-table.tsx'

export type ProgramColumn = 'name' | 'semesters' | 'fee' | 'tools'

export const programColumns: readonly Column<ProgramColumn>[] = [
  { name: 'name', label: 'Program Name', width: '46%' },
  { name: 'semesters', label: 'Semesters' },
  { name: 'fee', label: 'Fee' },
  { name: 'tools', label: 'Tools' },
]

/** 'N tools' to the letter of the specification, also for one. */
export const toolCount = ({ toolkit }: { readonly toolkit: readonly unknown[] }): string =>
  toolkit.length === 0 ? 'No tools' : `${toolkit.length} tools`

/** A fee is free text: ordered by the first amount in it, '₹45,000' as 45000; without one, as text. */
export const feeKey = (fee: string): SortKey => {
  const amount = /\d[\d,]*(?:\.\d+)?/.exec(fee)?.[0]
  return amount === undefined ? fee : Number(amount.replaceAll(',', ''))
}

export const programKey = (program: Program, column: ProgramColumn): SortKey => {
  switch (column) {
    case 'name':
      return program.programName
    case 'semesters':
      return program.semesterCount
    case 'fee':
      return feeKey(program.fee)
    case 'tools':
      return program.toolkit.length
  }
}

/** Those in whose name, code, fee or tools every word of the query is found. */
export const findPrograms = (programs: readonly Program[], query: string): readonly Program[] =>
  programs.filter(({ programName, programId, fee, toolkit }) =>
    hasWords(plainText([programName, programId, fee, ...toolkit.map(({ name }) => name)].join(' ')), query),
  )
