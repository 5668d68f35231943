import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rupeesText } from '../../../../../ui/rupees.ts'
import { paiseOf } from './amount.ts'
import { dayIn } from './day.ts'
import { readPayments } from './read-payments.ts'

describe('an amount', () => {
  it.each([
    ['15,000.50', 1_500_050],
    ['15,000.00', 1_500_000],
    ['₹15,000', 1_500_000],
    ['₹ 1,50,000.5', 15_000_050],
    ['15000/-', 1_500_000],
    ['Rs. 15,000/- only', 1_500_000],
    ['INR 15000', 1_500_000],
    ['+15,000.00 Cr', 1_500_000],
    ['15000.500000000002', 1_500_050],
    ['0.01', 1],
    ['15.000', undefined],
    ['15,00', undefined],
    ['-15,000', undefined],
    ['15,000 Dr', undefined],
    ['0', undefined],
    ['', undefined],
    ['fifteen', undefined],
    ['1e4', undefined],
    ['999999999999', undefined],
  ])('%j has %j paise', (text, paise) => {
    expect(paiseOf(text)).toBe(paise)
  })

  it('is read as it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), (paise) => {
        expect(paiseOf(rupeesText(paise))).toBe(paise)
      }),
    )
  })
})

describe('a date', () => {
  it.each([
    ['28.09.2026', '2026-09-28'],
    ['28/09/2026', '2026-09-28'],
    ['5-9-26', '2026-09-05'],
    ['2026-11-28', '2026-11-28'],
    ['28-Sep-2026', '2026-09-28'],
    ['28-Sept-2026', '2026-09-28'],
    ['28 September 2026', '2026-09-28'],
    ['1st Oct 2026', '2026-10-01'],
    ['Oct 1, 2026', '2026-10-01'],
    ['28/09/2026 14:05:09', '2026-09-28'],
    ['2026-09-28T00:00:00.000Z', '2026-09-28'],
    ['31.09.2026', undefined],
    ['09/28/2026', undefined],
    ['28-Sop-2026', undefined],
    ['28.09.', undefined],
    ['15,000', undefined],
    ['12.50.20', undefined],
    ['1928-09-28', undefined],
  ])('%j is %j', (text, day) => {
    expect(dayIn(text)).toBe(day)
  })

  it('can be written with each month', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    expect(names.map((name) => dayIn(`02-${name}-2026`))).toEqual(
      names.map((_, index) => `2026-${String(index + 1).padStart(2, '0')}-02`),
    )
  })
})

const read = async (...lines: readonly string[]) => {
  const result = await readPayments(lines.join('\n'), '2026-12-01')
  if (!result.isRead) return result.message
  const rows = result.list.rows.map(({ contact, amount, paidOn, reference }) =>
    [contact, amount, paidOn, reference].filter((part) => part !== undefined).join(' | '),
  )
  return [...rows, ...result.list.leftOut.map(({ text, problem }) => `? ${text}: ${problem}`)]
}

describe('a list of payments', () => {
  it('is read by the headings of the statement of a bank, below the lines about the account', async () => {
    const rows = await read(
      'Statement of account 123456789012 from 01/09/2026 to 30/09/2026',
      'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance',
      '28/09/2026,29/09/2026,"FEES asha@example.com, thank you",UTR629384756123,,"15,000.00","2,15,000.00"',
      '28-Sept-2026,28/09/2026,NEFT min-2026-7k3fq9xd,,,15000/-,"2,30,000.00"',
      '29/09/2026,29/09/2026,ATM,,"2,000.00",,"2,28,000.00"',
      '30/09/2026,30/09/2026,kiran@example.com,,,about 15,"2,28,000.00"',
    )
    expect(rows).toEqual([
      'asha@example.com | 1500000 | 2026-09-28 | UTR629384756123',
      'min-2026-7k3fq9xd | 1500000 | 2026-09-28',
      '? 29/09/2026,29/09/2026,ATM,,"2,000.00",,"2,28,000.00": No address or student code',
      '? 30/09/2026,30/09/2026,kiran@example.com,,,about 15,"2,28,000.00": “about 15” is not an amount',
    ])
  })

  it('is read by its content without headings: phone numbers are neither amounts nor references', async () => {
    const rows = await read(
      '1\tAsha Rao\tasha@example.com\t9812345678\t15000\t2026-11-28\t629384756123',
      '2\tKiran Das\tkiran@example.com\t9812345679\t15000.5\t2026-11-29\t629384756124',
      '3\tMeera Sen\tMIN-2026-7K3FQ9XD\t9812345670\t\t\t',
    )
    expect(rows).toEqual([
      'asha@example.com | 1500000 | 2026-11-28 | 629384756123',
      'kiran@example.com | 1500050 | 2026-11-29 | 629384756124',
      'MIN-2026-7K3FQ9XD',
    ])
  })

  it('finds short references by their word without headings, and takes no roll number for one', async () => {
    expect(await read('asha@example.com;15000;CS-101;UTR 4711', 'kiran@example.com;15000;CS-102;chq-12')).toEqual([
      'asha@example.com | 1500000 | UTR 4711',
      'kiran@example.com | 1500000 | chq-12',
    ])
    expect(await read('asha@example.com;15000;CS-101', 'kiran@example.com;15000;CS-102')).toEqual([
      'asha@example.com | 1500000',
      'kiran@example.com | 1500000',
    ])
  })

  it('can be typed, with grouped amounts between commas or blanks', async () => {
    expect(await read('asha@example.com, 15,000, 28.09.2026', 'kiran@example.com, ₹1,50,000.00, 28.09.2026')).toEqual([
      'asha@example.com | 1500000 | 2026-09-28',
      'kiran@example.com | 15000000 | 2026-09-28',
    ])
    expect(await read('Asha Rao asha@example.com ₹ 15,000 28 Sep 2026', 'kiran@example.com 15000/-')).toEqual([
      'asha@example.com | 1500000 | 2026-09-28',
      'kiran@example.com | 1500000',
    ])
    expect(await read('asha@example.com', 'kiran@example.com')).toEqual(['asha@example.com', 'kiran@example.com'])
    expect(await read('Email', 'asha@example.com')).toEqual(['asha@example.com', '? Email: No address or student code'])
  })

  it('reads the cells of some rows where most rows have only an address', async () => {
    const cells = ['asha@example.com', '30,000', '28.09.2026', 'UTR629384756123']
    const stated = 'asha@example.com | 3000000 | 2026-09-28 | UTR629384756123'
    for (const separator of [', ', ',', '; ', ';', '\t'])
      expect(await read('kiran@example.com', cells.join(separator))).toEqual(['kiran@example.com', stated])
    expect(await read('kiran@example.com', 'asha@example.com,500,2026-09-28', 'meera@example.com')).toEqual([
      'kiran@example.com',
      'asha@example.com | 50000 | 2026-09-28',
      'meera@example.com',
    ])
  })

  it('leaves out a row with a date in the future, and only that', async () => {
    expect(await read('asha@example.com;15000;2026-12-01', 'kiran@example.com;15000;2026-12-02')).toEqual([
      'asha@example.com | 1500000 | 2026-12-01',
      '? kiran@example.com;15000;2026-12-02: The payment date is in the future',
    ])
  })

  it('keeps rows apart that a broken quote would swallow', async () => {
    const rows = await read('Payer;Email;Amount', '"Asha" Traders;asha@example.com;15,000', 'Kiran;kiran@example.com;1')
    expect(rows).toEqual(['asha@example.com | 1500000', 'kiran@example.com | 100'])
  })

  it('sends an address that no account can have, and leaves out rows with several, debits and wrong dates', async () => {
    const rows = await read(
      'Email;Amount;Paid on;Dr/Cr',
      'asha@okbank;15,000;28.09.2026;Cr',
      'asha@example.com and kiran@example.com;15,000;28.09.2026;Cr',
      'asha@example.com;15,000;28.09.2026;Dr',
      'asha@example.com;15,000;31.09.2026;Cr',
    )
    expect(rows).toEqual([
      'asha@okbank | 1500000 | 2026-09-28',
      '? asha@example.com and kiran@example.com;15,000;28.09.2026;Cr: More than one address',
      '? asha@example.com;15,000;28.09.2026;Dr: A debit, not a payment',
      '? asha@example.com;15,000;31.09.2026;Cr: “31.09.2026” is not a date',
    ])
  })

  it('takes no refund, and no amount of nothing or less, for a payment of the usual amount', async () => {
    const statement = ['Date;Particulars;Withdrawal;Deposit', '28.09.2026;asha@example.com;;15,000']
    expect(await read(...statement, '29.09.2026;REFUND kiran@example.com;15,000;')).toEqual([
      'asha@example.com | 1500000 | 2026-09-28',
      '? 29.09.2026;REFUND kiran@example.com;15,000;: A debit, not a payment',
    ])
    expect(await read('asha@example.com;-15,000', 'kiran@example.com;0')).toBe(
      'No row can be read. “-15,000” is not an amount.',
    )
    expect(await read('asha@example.com (15,000) 28.09.2026', 'kiran@example.com 15,000')).toEqual([
      'kiran@example.com | 1500000',
      '? asha@example.com (15,000) 28.09.2026: “(15,000)” is not an amount',
    ])
  })

  it('takes what was paid, not the fee that is owed', async () => {
    const rows = await read('Email,Total fee,Amount paid', 'asha@example.com,45000,15000', 'kiran@example.com,45000,0')
    expect(rows).toEqual(['asha@example.com | 1500000', '? kiran@example.com,45000,0: “0” is not an amount'])
  })

  it('does not take the commas of amounts for those of a table', async () => {
    expect(await read('asha@example.com 1,50,000.00 28 Sep 2026', 'kiran@example.com 15,000')).toEqual([
      'asha@example.com | 15000000 | 2026-09-28',
      'kiran@example.com | 1500000',
    ])
  })

  it('finds by its content what no heading names', async () => {
    const rows = await read('Payer;Email;Mobile;Value;When', 'Asha;asha@example.com;9812345678;500.00;28.09.2026')
    expect(rows).toEqual(['asha@example.com | 50000 | 2026-09-28'])
  })

  it('loses no row with an address above the headings', async () => {
    const rows = await read('care@bank.example;1;2', 'Email;Amount', 'asha@example.com;15,000')
    expect(rows).toEqual(['asha@example.com | 1500000', '? care@bank.example;1;2: Above the headings of the columns'])
  })

  it('has at most 500 payments, and at least one', async () => {
    const many = Array.from({ length: 501 }, (_, n) => `a${n}@example.com`)
    expect(await read(...many)).toBe('This has more than 500 payments. Split it and confirm them in several steps.')
    expect(await read(...many.slice(1))).toHaveLength(500)
    expect(await read('Opening balance', 'Closing balance')).toBe('No row has an email address or a student code.')
    expect(await read('Email;Amount', 'asha@example.com;soon')).toBe('No row can be read. “soon” is not an amount.')
  })
})
