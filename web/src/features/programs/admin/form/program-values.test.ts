import * as fc from 'fast-check'
import { limits } from '@portal/contracts/shared/rules'
import { programBody } from '@portal/contracts/catalog/program'
import { describe, expect, it } from 'vitest'
import { aProgram } from '../testing/programs.ts'
import { bodyOf, informationSchema, temporaryId, typedCount, valuesOf } from './program-values.ts'

describe('the values of the program form', () => {
  it('[P-51] keep a saved program unchanged', () => {
    const program = aProgram(1, {
      detail: 'Twelve months',
      semesterCount: 2,
      semesters: [{ fee: '1' }, { fee: '2' }],
      tools: 2,
      facts: 1,
    })
    const { _id, ...rest } = program
    expect(bodyOf(informationSchema.parse(valuesOf(program)), program)).toEqual(rest)
  })

  it.each([
    ['3', 3],
    [' 20 ', 20],
    ['', null],
    ['0', null],
    ['-1', null],
    ['2.5', null],
    ['21', null],
    ['three', null],
  ])('read %j as the semester count %j', (text, count) => {
    expect(typedCount(text)).toBe(count)
  })

  it('result in a valid request with the counted semesters', () => {
    const count = fc.integer({ min: 1, max: limits.semesters })
    fc.assert(
      fc.property(count, fc.array(fc.nat(99_999), { maxLength: limits.semesters }), (semesterCount, fees) => {
        const program = aProgram(1, { semesterCount, semesters: fees.map((fee) => ({ fee: String(fee) })) })
        const body = bodyOf(informationSchema.parse(valuesOf(program)), program)
        expect(programBody.parse(body).semesters).toHaveLength(semesterCount)
      }),
    )
  })

  it('[P-50] have different temporary ids within a millisecond', () => {
    const first = temporaryId(1_000, [])
    const second = temporaryId(1_000, [{ _id: first }])
    expect([first, second]).toEqual(['1000', '1001'])
  })
})
