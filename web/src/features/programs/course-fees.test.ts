import { describe, expect, it } from 'vitest'
import { semesterFees } from './course-fees.ts'

describe('the fees of the semesters', () => {
  it('are those of the program if it has them', () => {
    const program = { fee: '25500', semesterCount: 2, semesters: [{ fee: '12000' }, { fee: '₹13,500' }] }
    expect(semesterFees(program, 'enrolled')).toEqual(['₹12,000', '₹13,500'])
    expect(semesterFees(program, 'not-registered')).toEqual(['₹12,000', '₹13,500'])
  })

  it('[Y-11] default to 15000, and to 14000 for the first semester without an enrollment', () => {
    const program = { fee: '', semesterCount: 3, semesters: [] }
    expect(semesterFees(program, 'enrolled')).toEqual(['₹15,000', '₹15,000', '₹15,000'])
    expect(semesterFees(program, 'not-registered')).toEqual(['₹14,000', '₹15,000', '₹15,000'])
  })

  it('[Y-11] default for a semester that has none beside others that have one', () => {
    const program = { fee: '45000', semesterCount: 2, semesters: [{ fee: '12000' }, { fee: '' }] }
    expect(semesterFees(program, 'enrolled')).toEqual(['₹12,000', '₹15,000'])
  })

  it('are not made up beside a total that they would not add up to', () => {
    const program = { fee: '45000', semesterCount: 3, semesters: [{ fee: '' }] }
    expect(semesterFees(program, 'enrolled')).toEqual([])
    expect(semesterFees(program, 'not-registered')).toEqual([])
  })

  it('are as many as the semesters', () => {
    const program = { fee: '', semesterCount: 1, semesters: [{ fee: '1' }, { fee: '2' }] }
    expect(semesterFees(program, 'enrolled')).toEqual(['₹1'])
  })
})
