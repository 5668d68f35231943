import { describe, expect, it } from 'vitest'
import { differingTotal } from './fee-total.ts'

describe('the total of the semester fees', () => {
  it.each([
    ['', ['15000', '₹15,000', '15,000'], '₹45,000'],
    ['₹45,000', ['15000', '15000'], '₹30,000'],
    ['45000', ['15000', '15000', '15000'], undefined],
    ['₹45,000', ['15000', ''], undefined],
    ['₹45,000', ['15000', 'On request'], undefined],
    ['On request', ['15000', '15000'], undefined],
    ['', [], undefined],
    ['', ['0'], '₹0'],
  ])('beside the fee %j and the semesters %j is %j', (fee, semesters, total) => {
    expect(differingTotal(fee, semesters)).toBe(total)
  })
})
