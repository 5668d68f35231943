import { describe, expect, test } from 'vitest'
import { installmentsOf, isPaidInFull, openInstallments, paysInstallments } from './installments.ts'

const program = (fee: string, ...semesterFees: readonly string[]) => ({
  fee,
  semesterCount: 3,
  semesters: semesterFees.map((one) => ({ fee: one })),
})

describe('the installments of a program', () => {
  test.each([
    ['are 15,000 rupees a semester by default', program(''), [1_500_000, 1_500_000, 1_500_000]],
    ['are the fees of its semesters', program('', '₹15,000', 'Rs. 1,00,000.50'), [1_500_000, 10_000_050, 1_500_000]],
    ['are equal parts of a total fee, with the remainder first', program('₹100.01'), [3335, 3333, 3333]],
    [
      'follow the semesters if there is a total as well',
      program('₹45,000', '20000'),
      [2_000_000, 1_500_000, 1_500_000],
    ],
    ['leave out a free semester', program('', 'Free', '₹10'), [1_000, 1_500_000]],
    ['are none for a free program', program('Free'), []],
  ])('%s', (_, given, installments) => {
    expect(installmentsOf(given)).toEqual(installments)
  })
})

describe('a fee account', () => {
  const account = (paidPaise: number) => ({ installmentsPaise: [100, 200, 300], paidPaise })

  test('has the installments that are open, the next one perhaps in part', () => {
    expect(openInstallments(account(0)).map(({ number }) => number)).toEqual([1, 2, 3])
    expect(openInstallments(account(150))).toEqual([
      { number: 2, openPaise: 150 },
      { number: 3, openPaise: 300 },
    ])
    expect(openInstallments(account(600))).toEqual([])
  })

  test('takes a payment of the next installments in full, and no other amount', () => {
    const taken = [50, 100, 150, 200, 300, 600, 700].filter((amount) => paysInstallments(account(0), amount))
    expect(taken).toEqual([100, 300, 600])
    expect(paysInstallments(account(600), 100)).toBe(false)
  })

  test('is paid in full once nothing is open', () => {
    expect([599, 600, 601].map((paid) => isPaidInFull(account(paid)))).toEqual([false, true, true])
    expect(isPaidInFull({ installmentsPaise: [], paidPaise: 0 })).toBe(false)
  })
})
