import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { cellsOf, delimiterOf } from './cells.ts'
import { maxListBytes, readListFile } from './read-list-file.ts'
import { rowsOf } from './rows.ts'

describe('the rows of a list', () => {
  it('are its lines, whatever ends them, without blank ones', () => {
    expect(rowsOf('\uFEFFa\r\n\r\n b\rc\vd\u2028e\n \t\n')).toEqual(['a', ' b', 'c', 'd', 'e'])
  })

  it('keep the lines of a quoted cell together', () => {
    expect(rowsOf('Name,Note\nAsha,"one\n\ntwo ""x""\nthree",x\nRavi,y')).toEqual([
      'Name,Note',
      'Asha,"one\n\ntwo ""x""\nthree",x',
      'Ravi,y',
    ])
  })

  it('survive a quote that is never closed, and one inside a cell', () => {
    const rows = ['Name,Email', '"Asha,a@example.com', 'Ravi,b@example.com', 'Tara,c@example.com']
    expect(rowsOf(rows.join('\n'))).toEqual(rows)
    expect(rowsOf('5" pipe\n6" pipe')).toEqual(['5" pipe', '6" pipe'])
  })

  it('lose no character but line ends and blanks', () => {
    const visible = (text: string) => text.replaceAll(/\s/g, '')
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ') }), (text) => {
        expect(visible(rowsOf(text).join(''))).toBe(visible(text))
      }),
    )
  })
})

describe('the cells of a row', () => {
  it('are between what separates them in most rows', () => {
    expect(delimiterOf(['a,b', 'c,d', 'e;f'])).toBe(',')
    expect(delimiterOf(['a;1,5', 'b;2,5'])).toBe(';')
    expect(delimiterOf(['a\tb, c', 'd\te, f'])).toBe('\t')
    expect(delimiterOf(['"a,b"', 'c'])).toBeUndefined()
    expect(delimiterOf([])).toBeUndefined()
  })

  it('can be quoted, also in part, and a quote that is never closed swallows none', () => {
    expect(cellsOf('a, "b ""c"", d" ,e', ',')).toEqual(['a', 'b "c", d', 'e'])
    expect(cellsOf('"Asha" Traders,a@example.com,1', ',')).toEqual(['"Asha" Traders', 'a@example.com', '1'])
    expect(cellsOf('"Asha,a@example.com,1', ',')).toEqual(['"Asha', 'a@example.com', '1'])
    expect(cellsOf(';;x;', ';')).toEqual(['', '', 'x', ''])
  })
})

describe('a file with a list', () => {
  const read = (content: ArrayBuffer | string, name = 'list.csv') => readListFile(new File([content], name))
  const bytesOf = (...bytes: number[]) => new Uint8Array(bytes).buffer
  const utf16 = (text: string, isBigEndian: boolean) => {
    const view = new DataView(new ArrayBuffer(2 * text.length))
    for (let n = 0; n < text.length; n++) view.setUint16(2 * n, text.charCodeAt(n), !isBigEndian)
    return view.buffer
  }

  test('is read as UTF-8, as UTF-16 in both orders, and as Windows saves text', async () => {
    const text = 'Name\tEmail\nJosé\tjose@example.com'
    expect(await read(text)).toEqual({ isRead: true, text })
    expect(await read(utf16(`\uFEFF${text}`, false))).toEqual({ isRead: true, text })
    expect(await read(utf16(`\uFEFF${text}`, true))).toEqual({ isRead: true, text })
    expect(await read(bytesOf(...Array.from('José', (char) => char.charCodeAt(0))))).toEqual({
      isRead: true,
      text: 'José',
    })
  })

  test('can be an Excel workbook, of which all sheets are read', async () => {
    const workbook = readFileSync(join(import.meta.dirname, 'testing/people.xlsx'))
    const result = await read(new Uint8Array(workbook).buffer, 'people.xlsx')
    expect(result.isRead && rowsOf(result.text)).toEqual([
      'Name\tEmail\tNote',
      'Asha Rao\tasha@example.com\t"first\nsecond ""line"""',
      'José\t\tno address',
      'Ravi\travi@example.com\t3',
      'MIN-2026-7K3FQ9XD',
    ])
  })

  test('of another kind is named, with what helps', async () => {
    const ods = `PK\u0003\u0004${'\0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`
    const rows: readonly (readonly [content: ArrayBuffer | string, message: RegExp])[] = [
      ['%PDF-1.7 …', /^This is a PDF\. Copy the list/],
      [bytesOf(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /^This is an Excel workbook of an old format\. Save it as CSV/],
      [ods, /^This is an OpenDocument file\. Save it as CSV/],
      ['PK\u0003\u0004 no workbook', /^This file cannot be read as an Excel workbook/],
      [bytesOf(1, 0, 2, 0, 3, 0), /^This is not a text file/],
      ['x'.repeat(maxListBytes + 1), /^This is larger than 5 MB/],
    ]
    for (const [content, message] of rows)
      expect(await read(content)).toEqual({ isRead: false, message: expect.stringMatching(message) })
  })
})
