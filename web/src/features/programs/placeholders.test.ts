import { expect, it } from 'vitest'
import * as placeholders from './placeholders.ts'

it('the fixed values are those of the specification', () => {
  expect({ ...placeholders }).toEqual({
    currentSemester: 'Semester 1',
    cardProgressPercent: 33,
    overallProgressPercent: 68,
    semesterProgressPercent: 68,
    statistic: { figure: '80%', text: 'of emerging roles in India by 2026 will require CSE-related skills' },
    quotation: 'It is not about man versus machine anymore... It is about what the two of them can do together.',
    fallbackSemesterFee: 15_000,
    fallbackFirstSemesterFee: 14_000,
    registrationFeePaid: 'Paid',
    registrationFeeDue: '₹1000',
  })
})
