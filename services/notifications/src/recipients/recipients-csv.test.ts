import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { limits } from '@portal/contracts/shared/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { csvLine } from '../csv.ts'
import { recipientsCsv } from './recipients-csv.ts'

/** Reads cells as RFC 4180 defines them. */
const cellsOf = (line: string): string[] =>
  [...line.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/gs)].map(([, cell = '']) => cell.replaceAll('""', '"'))

/** Reads cells as a spreadsheet does that expects another separator: a quote within a cell has no meaning. */
const cellsSeparatedBy = (separator: string, line: string): string[] => {
  const cells = ['']
  let isQuoted = false
  for (const character of line.slice(0, -2)) {
    const cell = cells.at(-1) ?? ''
    const isBreak = character === '\r' || character === '\n'
    if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (!isQuoted && (character === separator || isBreak)) cells.push('')
    else cells[cells.length - 1] = cell + character
  }
  return cells
}

const formula = /^[=+\-@\t\r\n＝＋－＠]/

describe('a line', () => {
  it('never begins a formula', () => {
    const formulas = ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a']
    const others = ['a=1', 'a@b.example', 'a；=1', 'Doe, -']
    const cells = cellsOf(csvLine([...formulas, ...others]))
    expect(cells.map((cell) => cell.startsWith("'"))).toEqual([...formulas.map(() => true), ...others.map(() => false)])
    expect(cells.map((cell) => cell.replaceAll("'", ''))).toEqual([...formulas, ...others])
  })

  it('never begins a formula where another separator is expected', () => {
    const address = `a;=HYPERLINK("https://evil.example")@example.com`
    expect(cellsOf(csvLine(['Ada', address]))[1]).toBe(address.replace('=', "'="))
    for (const [separator, text] of [';=1', ';"=1', '; ＝1', '|+1', '\n@1'].map((cell) => [cell.charAt(0), cell])) {
      for (const cell of cellsSeparatedBy(separator ?? '', csvLine(['Ada', `x${text}`])))
        expect(cell.trimStart()).not.toMatch(formula)
    }
  })

  it('keeps any text but for apostrophes, with quotes, separators and line breaks', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ';', '|', ' ', "'", 'a', '=', '＝') }),
    )
    const withoutApostrophes = (cells: readonly string[]) => cells.map((cell) => cell.replaceAll("'", ''))
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (cells) => {
        const line = csvLine(cells)
        expect(withoutApostrophes(cellsOf(line))).toEqual(withoutApostrophes(cells))
        for (const cell of cellsOf(line)) expect(cell).not.toMatch(formula)
        for (const separator of [';', '|', '\t'])
          for (const cell of cellsSeparatedBy(separator, line)) expect(cell).not.toMatch(/^ *[=+\-@＝＋－＠]/)
      }),
    )
  })
})

describe('the file', () => {
  const recipient = (n: number): CampaignRecipient => ({
    userId: userIdAt(n),
    fullName: `=Name ${n}`,
    personalEmail: `n${n}@mail.example`,
    status: 'failed',
    reason: 'network-error',
    says: 'It is in the inbox. Resend it.',
    deliveredAt: '2026-11-23T20:05:09.999Z',
  })
  const asked: number[] = []
  const rows = async (from: number, to: number) => {
    asked.push(to - from)
    return Array.from({ length: to - from }, (_, n) => recipient(from + n))
  }

  it('has a byte order mark, a header and one line per recipient with times of India that spreadsheets read, in parts', async () => {
    let file = ''
    for await (const part of recipientsCsv({ count: 1_001, rows })) file += part
    const lines = file.split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFF"Name","Email","Status","Reason","Explanation","In inbox since (IST)","Read at (IST)","User id"',
    )
    expect(lines[1]).toBe(
      `"'=Name 0","n0@mail.example","failed","network-error","It is in the inbox. Resend it.","2026-11-24 01:35:09","","${userIdAt(0)}"`,
    )
    expect(lines).toHaveLength(1_003)
    expect(asked).toEqual([200, 200, 200, 200, 200, 1])
  })

  it('has at most as many lines as a send has recipients', async () => {
    let lines = 0
    const many = { count: 10 * limits.recipientsPerAudience, rows: async () => [recipient(1)] }
    for await (const part of recipientsCsv(many)) lines += part.split('\r\n').length - 1
    expect(lines).toBe(1 + limits.recipientsPerAudience / 200)
  })
})
