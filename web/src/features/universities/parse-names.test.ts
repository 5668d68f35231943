import { universityIdSchema } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { describe, expect, test } from 'vitest'
import { readPastedNames } from './parse-names.ts'

const coast = { _id: universityIdSchema.parse('01930000-0000-7000-8000-000000000001'), name: 'Coast University' }

describe('pasted names', () => {
  test('are one a line, trimmed and without blank lines', () => {
    expect(readPastedNames('\n Hill \r\n\r\nValley\n  \n', [])).toEqual({
      toAdd: ['Hill', 'Valley'],
      known: 0,
      tooLong: 0,
      noRoom: 0,
    })
  })

  test('are the first column of a table', () => {
    expect(readPastedNames('Hill\tPune\nValley\tDelhi', [])?.toAdd).toEqual(['Hill', 'Valley'])
  })

  test('are without bullets, numbers, quotes of a table and a heading', () => {
    const text = [
      'University name',
      '- Hill',
      '• Valley',
      '1. Coast',
      'b) Lake',
      '"River, Upper",Pune',
      '"The ""Old"" School";Delhi',
      '"New" College of Arts',
      'A. B. College, Pune',
      '3M University',
    ]
    expect(readPastedNames(text.join('\n'), [])?.toAdd).toEqual([
      'Hill',
      'Valley',
      'Coast',
      'Lake',
      'River, Upper',
      'The "Old" School',
      '"New" College of Arts',
      'A. B. College, Pune',
      '3M University',
    ])
  })

  test('are all counted, also those for which there is no room', () => {
    const text = Array.from({ length: limits.universities + 5 }, (_, n) => `University ${n}`).join('\n')
    expect(readPastedNames(text, [coast])).toMatchObject({ known: 0, tooLong: 0, noRoom: 6 })
  })

  test('leave out names that exist or are repeated, also in another spelling', () => {
    expect(readPastedNames('COAST  university\nHill\nhill', [coast])).toEqual({
      toAdd: ['Hill'],
      known: 2,
      tooLong: 0,
      noRoom: 0,
    })
  })

  test('leave out names that are too long', () => {
    const longest = 'x'.repeat(limits.nameChars)
    expect(readPastedNames(`${longest}\n${longest}y`, [])).toEqual({
      toAdd: [longest],
      known: 0,
      tooLong: 1,
      noRoom: 0,
    })
  })

  test.each(['', 'Hill', ' Hill \n\n'])('are not read from a single line: %j', (text) => {
    expect(readPastedNames(text, [])).toBeUndefined()
  })
})
