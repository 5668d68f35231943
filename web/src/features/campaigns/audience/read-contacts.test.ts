import { limits } from '@portal/contracts/shared/rules'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxContactBytes, readContacts, readContactsFile } from './read-contacts.ts'

const found = async (text: string) => {
  const result = await readContacts(text)
  return result.isRead ? result.contacts : result.message
}

const code = 'MIN-2026-7K3FQ9XD'

describe('reading contacts', () => {
  it.each([
    ['one a line', 'asha@example.com\r\nravi@example.com\n', ['asha@example.com', 'ravi@example.com']],
    ['a byte order mark', '\uFEFFEmail\nasha@example.com', ['asha@example.com']],
    ['a list in one line', 'asha@example.com, ravi@example.com', ['asha@example.com', 'ravi@example.com']],
    [
      'addresses as mail programs copy them',
      'Asha Rao <asha@example.com>; Ravi Rao <ravi@example.com>',
      ['asha@example.com', 'ravi@example.com'],
    ],
    ['a column between others', 'Name;Email;City\n"Rao; Asha";asha@example.com;Pune\n', ['asha@example.com']],
    ['student codes', `Name\tCode\nAsha\t${code}`, [code]],
    ['codes and addresses mixed', `${code}\nasha@example.com`, [code, 'asha@example.com']],
    [
      'the address rather than the code of a row',
      `${code},asha@example.com\n${code},b@example.com`,
      ['asha@example.com', 'b@example.com'],
    ],
    [
      'an unreadable entry, so that it is reported',
      'asha@example.com\nravi at example',
      ['asha@example.com', 'ravi at example'],
    ],
    ['repetitions', 'a@example.com\na@example.com', ['a@example.com', 'a@example.com']],
    ['nothing', ' \n\t\n', 'No email addresses or student codes were found.'],
  ])('understands %s', async (_case, text, expected) => {
    expect(await found(text)).toEqual(expected)
  })

  it('accepts as many rows as the server, and no more', async () => {
    const rows = (count: number) => `Email\n${'a@b.co\n'.repeat(count)}`
    expect(await found(rows(limits.audienceContacts))).toHaveLength(limits.audienceContacts)
    expect(await found(rows(limits.audienceContacts + 1))).toMatch(/^This has more than 100,000 rows/)
  })

  it('rejects large files before it reads them', async () => {
    const file = new File([new Uint8Array(maxContactBytes + 1)], 'large.csv')
    expect(await readContactsFile(file)).toMatchObject({ isRead: false, message: expect.stringMatching(/5 MB/) })
  })

  it("reads Excel's UTF-16 files", async () => {
    const text = '\uFEFFName\tEmail\r\nJosé\tjose@example.com\r\n'
    const file = new File([new Uint16Array(Array.from(text, (char) => char.charCodeAt(0)))], 'unicode.txt')
    expect(await readContactsFile(file)).toEqual({ isRead: true, contacts: ['jose@example.com'] })
  })
})

describe('reading any table', () => {
  const email = fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9.+'-]{0,20}$/), fc.stringMatching(/^[a-z]{1,10}\.[a-z]{2,5}$/))
    .map(([name, domain]) => `${name}@${domain}`)
  const studentCode = fc.stringMatching(/^MIN-20\d\d-[0-9A-HJ-NP-Z]{8}$/)
  const note = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[@<>]/g, ''))

  it('finds the contacts in any column, with any delimiter, quotes and line ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.oneof(email, studentCode), note, note), { minLength: 2, maxLength: 30 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\uFEFF'),
        fc.nat(2),
        fc.boolean(),
        async (people, delimiter, lineEnd, mark, column, hasHeader) => {
          const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
          const line = (contact: string, ...notes: readonly string[]) =>
            notes.toSpliced(column, 0, contact).map(quote).join(delimiter)
          const header = hasHeader ? [line('Contact', 'Name', 'Note')] : []
          const text = mark + [...header, ...people.map((row) => line(...row))].join(lineEnd)
          expect(await found(text)).toEqual(people.map(([contact]) => contact))
        },
      ),
    )
  })

  it('bounds what it returns for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 500 }), async (text) => {
        const result = await readContacts(text)
        if (!result.isRead) return
        expect(result.contacts.length).toBeGreaterThan(0)
        for (const contact of result.contacts) {
          expect(contact).toBe(contact.trim())
          expect(contact.length).toBeLessThanOrEqual(limits.emailChars)
        }
      }),
    )
  })
})
