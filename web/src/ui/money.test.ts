import { describe, expect, it } from 'vitest'
import { rupees, withoutSign } from './money.ts'

describe('an amount of money', () => {
  it.each([
    ['45000', '₹45,000'],
    ['₹45,000', '₹45,000'],
    ['₹ 150000', '₹1,50,000'],
    [15000, '₹15,000'],
    ['3 x ₹15,000', '3 x ₹15,000'],
    ['', ''],
  ])('%s reads %s', (amount, text) => {
    expect(rupees(amount)).toBe(text)
  })

  it('has its sign once where the text around it has one', () => {
    expect(withoutSign('₹1000')).toBe('1000')
    expect(withoutSign('1000')).toBe('1000')
  })
})
