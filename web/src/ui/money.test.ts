import { expect, it } from 'vitest'
import { formatRupees, stripRupeeSign } from './money.ts'

it.each([
  [45_000, '₹45,000'],
  ['45000', '₹45,000'],
  ['45,000', '₹45,000'],
  [' ₹ 1,45,000 ', '₹1,45,000'],
  ['₹45000', '₹45,000'],
  ['999999999999', '₹9,99,99,99,99,999'],
])('formats %j as %s', (amount, shown) => expect(formatRupees(amount)).toBe(shown))

it.each([
  '',
  'Free',
  '₹45,000 a year',
  'about 45000',
  'up to ₹45000',
  '45.50',
  '-45',
  '1234567890123',
  '45₹000',
  'Rs 500',
])('leaves %j unchanged', (amount) => expect(formatRupees(amount)).toBe(amount))

it('trims text', () => expect(formatRupees(' Free ')).toBe('Free'))

it.each([
  ['₹1000', '1000'],
  [' ₹  1,000 ', '1,000'],
  ['1000', '1000'],
  ['from ₹1000', 'from ₹1000'],
])('strips the sign from %j: %j', (amount, text) => expect(stripRupeeSign(amount)).toBe(text))
