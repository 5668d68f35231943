import { describe, expect, it } from 'vitest'
import { aProgram } from '../testing/programs.ts'
import { feeKey, findPrograms, programKey, toolCount } from './program-table.tsx'

describe('the columns of the program table', () => {
  it.each([
    ['₹45,000', 45_000],
    ['Rs 1,05,000 in three parts', 105_000],
    ['999.50', 999.5],
    ['On request', 'On request'],
    ['', ''],
  ])('[P-39] sort the fee %j by %j', (fee, key) => {
    expect(feeKey(fee)).toBe(key)
  })

  it('[P-27] show the number of tools', () => {
    const counted = [0, 1, 2].map((tools) => toolCount(aProgram(1, { tools })))
    expect(counted).toEqual(['No tools', '1 tool', '2 tools'])
  })

  it('sort by the displayed value', () => {
    const program = aProgram(3, { programName: 'Minor in AI', semesterCount: 4, fee: '₹60,000', tools: 2 })
    const keys = (['name', 'semesters', 'fee', 'tools', 'enrolled'] as const).map((column) =>
      programKey(program, column, () => 12),
    )
    expect(keys).toEqual(['Minor in AI', 4, 60_000, 2, 12])
  })

  it.each([
    ['', ['Minor in AI', 'Business Analytics']],
    ['minor', ['Minor in AI']],
    ['ba-26', ['Business Analytics']],
    ['60,000', ['Business Analytics']],
    ['tool 1 analytics', ['Business Analytics']],
    ['chemistry', []],
  ])('are searched by %j', (query, names) => {
    const programs = [
      aProgram(1, { programName: 'Minor in AI', programId: 'AI-26', fee: '₹45,000' }),
      aProgram(2, { programName: 'Business Analytics', programId: 'BA-26', fee: '₹60,000', tools: 1 }),
    ]
    expect(findPrograms(programs, query).map(({ programName }) => programName)).toEqual(names)
  })
})
