import { limits } from '@portal/contracts/shared/rules'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxListBytes } from '../../../lib/lists/read-list-file.ts'
import { readContacts, readContactsFile } from './read-contacts.ts'

const found = async (text: string) => {
  const result = await readContacts(text)
  return result.isRead ? result.contacts : result.message
}

const [asha, ravi, tara, kiran] = ['asha@example.com', 'ravi@example.com', 'tara@example.com', 'kiran@example.com']
const code = 'MIN-2026-7K3FQ9XD'

describe('reading contacts', () => {
  it('finds every address and code, whatever the list looks like', async () => {
    const shapes: readonly (readonly [text: string, contacts: readonly string[]])[] = [
      [`${asha}\r\n${ravi}\n`, [asha, ravi]],
      [`\uFEFFEmail\n${asha}`, [asha]],
      [`${asha}, ${ravi}`, [asha, ravi]],
      [`${asha}; ${ravi};\n${tara}; ${kiran}`, [asha, ravi, tara, kiran]],
      [`Student names\n${asha}; ${ravi}; ${tara}`, [asha, ravi, tara]],
      [`Asha Rao <${asha}>; Ravi Rao <${ravi}>`, [asha, ravi]],
      [`"Rao, Asha" <${asha}>, "Kumar, Ravi" <${ravi}>, "Das, Tara" <${tara}>`, [asha, ravi, tara]],
      [`${asha}\n${ravi}\n"Das, Tara" <${tara}>\n${kiran}`, [asha, ravi, tara, kiran]],
      [`Doe, Jane;${asha}\nRoe, Ravi;${ravi}`, [asha, ravi]],
      [`Name;Email;City\n"Rao; Asha";${asha};Pune\n`, [asha]],
      [`Name,Note,Email\nA,"open,${asha}\nB,x,${ravi}\nC,y,${tara}`, [asha, ravi, tara]],
      [`Name,Note,Email\nA,"two\nlines",${asha}\nB,x,${ravi}`, [asha, ravi]],
      [`Email,Alternative email\n${asha},\n,${ravi}\n${tara},${kiran}`, [asha, ravi, tara, kiran]],
      [`mailto:${asha}\n1. ${ravi}\nTara (${tara})\nKiran <${kiran}> (faculty)`, [asha, ravi, tara, kiran]],
      [`- ${asha}\n• ${ravi}\n-${tara}\n* ${kiran}`, [asha, ravi, tara, kiran]],
      [`| ${asha} | Pune |\n| ${ravi} | Delhi |`, [asha, ravi]],
      [`To: ${asha},\n ${ravi}\nCc: ${tara}`, [asha, ravi, tara]],
      [`['${asha}', "${ravi}"]`, [asha, ravi]],
      [`Please invite ${asha}, ${ravi} and “${tara}”.`, [asha, ravi, tara]],
      [`${asha}/${ravi}`, [asha, ravi]],
      [`BEGIN:VCARD\nEMAIL;TYPE=INTERNET:${asha}`, ['BEGIN:VCARD', asha]],
      [`\u200B${asha}\u200B\n${ravi}\u00AD`, [asha, ravi]],
      [`Name\tCode\nAsha\t${code}\nRavi\tMIN–2026–7K3FQ9XD`, [code, code]],
      [`${code},${asha}`, [code, asha]],
      [`${asha}\n${asha}`, [asha, asha]],
    ]
    const read = await Promise.all(shapes.map(async ([text]) => [text, await found(text)] as const))
    expect(read).toEqual(shapes)
  })

  it('shows what is no contact as an entry, except a heading', async () => {
    const shapes: readonly (readonly [text: string, contacts: readonly string[]])[] = [
      [`${asha}\nravi at example`, [asha, 'ravi at example']],
      [`${asha}; ravi at example; ${tara}`, [asha, 'ravi at example', tara]],
      [`learner-0001@examplecom\n${ravi}`, ['learner-0001@examplecom', ravi]],
      [`Name,Email\nAsha,${asha}\nRavi,\nTara,none`, [asha, 'Ravi,', 'Tara,none']],
      [`a@b@example.com\n${asha}`, ['a@b@example.com', asha]],
      [`Doe, Jane;${asha}`, ['Doe, Jane', asha]],
      [`Class of 2026\n${asha}`, ['Class of 2026', asha]],
      [`${'x'.repeat(300)}\n${asha}`, ['x'.repeat(limits.emailChars), asha]],
    ]
    const read = await Promise.all(shapes.map(async ([text]) => [text, await found(text)] as const))
    expect(read).toEqual(shapes)
    expect(await found(' \n\t\n')).toBe('No email addresses or student codes were found.')
  })

  it('accepts as many entries as the server, and no more, however many blank lines there are', async () => {
    const rows = (count: number) => `Email\n${'a@b.co\n\n'.repeat(count)}`
    expect(await found(rows(limits.audienceContacts))).toHaveLength(limits.audienceContacts)
    expect(await found(rows(limits.audienceContacts + 1))).toMatch(/^This has more than 100,000 entries/)
  })

  it('rejects large files before it reads them', async () => {
    const file = new File([new Uint8Array(maxListBytes + 1)], 'large.csv')
    expect(await readContactsFile(file)).toMatchObject({ isRead: false, message: expect.stringMatching(/5 MB/) })
  })
})

describe('reading any document', () => {
  const email = fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9.+'-]{0,20}[a-z0-9]$/), fc.stringMatching(/^[a-z]{1,10}\.[a-z]{2,5}$/))
    .map(([name, domain]) => `${name}@${domain}`)
  const studentCode = fc.stringMatching(/^MIN-20\d\d-[0-9A-HJ-NP-Z]{8}$/)
  const contact = fc.oneof(email, studentCode)
  const word = fc.stringMatching(/^[A-Za-zé0-9.'!-]{1,8}$/)
  const mention = fc
    .tuple(fc.array(word, { maxLength: 3 }), contact)
    .chain(([words, text]) =>
      fc
        .constantFrom(
          text,
          `${words.join(' ')} <${text}>`,
          `"${words.join(', ')}" <${text}>`,
          `${words.join(' ')} (${text})`,
          `- ${text}`,
          `"${text}"`,
          `${words.join(' ')} ${text}.`,
        )
        .map((shown) => ({ text, shown })),
    )

  it('finds what stands in it, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(mention, fc.constantFrom(', ', ';', '; ', '\t', '\n', '\r\n', '\n\n', ' | ')), {
          minLength: 1,
          maxLength: 30,
        }),
        async (mentions) => {
          const text = mentions.map(([{ shown }, separator]) => shown + separator).join('')
          const contacts = await found(text)
          const expected = mentions.map(([mentioned]) => mentioned.text)
          const isContact = (entry: string) => /@|^MIN-20\d\d-/.test(entry)
          expect(typeof contacts === 'string' ? contacts : contacts.filter(isContact)).toEqual(expected)
        },
      ),
    )
  })

  it('finds the contacts in any column of a table, with any quotes and line ends', async () => {
    const note = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[@<>]/g, ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(contact, note, note), { minLength: 2, maxLength: 30 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.nat(2),
        fc.boolean(),
        async (people, delimiter, lineEnd, column, hasHeader) => {
          const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
          const line = (cell: string, ...notes: readonly string[]) =>
            notes.toSpliced(column, 0, cell).map(quote).join(delimiter)
          const header = hasHeader ? [line('Contact', 'Name', 'Note')] : []
          const text = [...header, ...people.map((row) => line(...row))].join(lineEnd)
          expect(await found(text)).toEqual(people.map(([cell]) => cell))
        },
      ),
    )
  })

  it('returns a bounded number of bounded entries for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 500 }), async (text) => {
        const result = await readContacts(text)
        if (!result.isRead) return
        for (const entry of result.contacts) {
          expect(entry).toBe(entry.trim())
          expect(entry.length).toBeLessThanOrEqual(limits.emailChars)
        }
      }),
    )
  })
})
