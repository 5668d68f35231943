import { describe, expect, it } from 'vitest'
import { leadOf } from './program-lead.ts'

const program = (semesterCount: number, fee: string) => ({ semesterCount, fee })
const plain = (text: string) => text.replaceAll('\u00A0', ' ')

describe('the sentence above the programs', () => {
  it('states the facts of the Minor if they are true of every program', () => {
    expect(plain(leadOf([program(3, '45000'), program(3, '₹45,000')]))).toBe(
      'Each is 18 credits over 3 semesters (7+8+3) and costs ₹45,000 in three installments of ₹15,000.',
    )
  })

  it.each([
    ['the length', [program(2, '45000'), program(2, '30000')], 'Each takes 2 semesters.'],
    ['one semester', [program(1, '45000'), program(1, '30000')], 'Each takes 1 semester.'],
    ['the fee', [program(2, '30000'), program(3, '₹ 30,000')], 'Each costs ₹30,000.'],
    [
      'both, but of another Minor',
      [program(2, '30000'), program(2, '30000')],
      'Each takes 2 semesters and costs ₹30,000.',
    ],
    ['nothing', [program(2, '30000'), program(3, '45000')], '2 programs to choose from.'],
    [
      'the length, with fees that are no numbers',
      [program(2, 'on request'), program(2, '')],
      'Each takes 2 semesters.',
    ],
    ['no fee at all', [program(2, ''), program(3, '')], '2 programs to choose from.'],
    ['no programs', [], ''],
  ])('otherwise states only what they share: %s', (_case, programs, expected) => {
    expect(leadOf(programs)).toBe(expected)
  })
})
