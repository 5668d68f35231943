import { limits } from '@portal/contracts/shared/rules'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxListBytes } from '../../../lib/lists/read-list-file.ts'
import { nextTask } from '../../../lib/next-task.ts'
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
      [`Name,Given Name,E-mail 1 - Type,E-mail 1 - Value\nAsha Rao,Asha,* Home,${asha}`, [asha]],
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

type Shapes = readonly (readonly [text: string, contacts: readonly string[]])[]

const expectEach = async (shapes: Shapes) => {
  const read = await Promise.all(shapes.map(async ([text]) => [text, await found(text)] as const))
  expect(read).toEqual(shapes)
}

describe('reading unusual lists', () => {
  it('drops a first row only if it names columns', async () => {
    await expectEach([
      [`Students\n${asha}`, [asha]],
      [`To:\n${asha}`, [asha]],
      [`Timestamp,Email Address\n2026,${asha}`, [asha]],
      [`S.No,Name,Hostel,Email 1,Email 2\n1,Asha,B,${asha},${ravi}`, [asha, ravi]],
      [`Contact 9876543210\n${asha}`, ['Contact 9876543210', asha]],
      [`Student Tara\n${asha}`, ['Student Tara', asha]],
      [`Tara Rao, Student\n${asha}`, ['Tara Rao, Student', asha]],
      [`Name, Email, 9876543210\n${asha}`, ['Name, Email, 9876543210', asha]],
      [`learnerexample.com\n${asha}`, ['learnerexample.com', asha]],
      [`mail.code\n${asha}`, ['mail.code', asha]],
      [`@student\n${asha}`, ['@student', asha]],
      [`Students: MIN-2026-7K3FQ9X\n${asha}`, ['MIN-2026-7K3FQ9X', asha]],
    ])
  })

  const spelled = [
    'learner-0001 @example.com',
    'mail [at] example.com',
    'learner (at) example (dot) com',
    'ravi at example.com',
  ]
  const broken = [
    ...spelled,
    'student.asha(at)example.com',
    'learner-0001.example.com',
    'learner-0001@ example.com',
    'MIN-2026-7K3FQ9X',
  ]

  it('shows a broken address or code wherever it stands', async () => {
    await expectEach(
      broken.flatMap((entry): Shapes => [
        [`${entry}\n${asha}`, [entry, asha]],
        [`${asha}, ${entry}\n${ravi}`, [asha, entry, ravi]],
        [`${asha}; ${entry}, ${ravi}`, [asha, entry, ravi]],
        [`"Rao, Asha" <${asha}>, Ravi <${entry}>`, [asha, entry]],
      ]),
    )
    await expectEach([
      [`${asha} learner-0001(at)example.com`, [asha, 'learner-0001(at)example.com']],
      [`${asha}, @example.com, learner@, MIN-2026-7K3FQ9XDE`, [asha, '@example.com', 'learner@', 'MIN-2026-7K3FQ9XDE']],
    ])
  })

  it('shows nothing of what stands beside an address in a table', async () => {
    const cells = [
      'Asha K. Rao',
      'A.K.Rao',
      'B.Tech.',
      '21CS-0042',
      '+91 98765 43210',
      'Dept. of C.S.',
      '@asha',
      'www.example.com',
    ]
    const more = ['https://cs.example.edu/a', 'at Pune', 'MIN', 'Min. 40', '12.5', '2026-11-28', 'R&D', 'photo.jpg']
    const row = [...cells, ...more].join('\t')
    await expectEach([
      [`${row}\t${asha}\n${row}\t${ravi}`, [asha, ravi]],
      [`Please mail me at asha.rao@example.com\n${ravi}`, ['asha.rao@example.com', ravi]],
    ])
  })

  it('reads full-width and encoded at signs', async () => {
    await expectEach([
      [`${asha}, learner-0001＠example.com\n${ravi}`, [asha, 'learner-0001@example.com', ravi]],
      [`learner-0001＠example.com\n${ravi}`, ['learner-0001@example.com', ravi]],
      [`mailto:learner-0001%40example.com\n${ravi}`, ['learner-0001@example.com', ravi]],
    ])
  })

  it('never takes a part of an address for another one', async () => {
    const whole = [
      `R&D@example.com/${asha}`,
      `R&D@example.com`,
      `x#${asha}/${ravi}`,
      `bounce=${asha}/${ravi}`,
      `bounce+ravi=${asha}`,
      `x?bounce=${asha}`,
      `${asha}/x#${ravi}`,
      `${asha},in`,
      `learner@example,com`,
      `${asha}$in`,
      `${asha}${ravi}`,
      `${asha}-${ravi}`,
      `o’brien@example.com`,
      `x{y@example.com`,
      `_asha@example.com`,
      `7.${asha}`,
      `${'x'.repeat(70)}@example.com`,
    ]
    await expectEach(
      whole.flatMap((entry): Shapes => [
        [entry, [entry]],
        [`${tara}\n${entry}`, [tara, entry]],
      ]),
    )
    await expectEach([
      [`R&amp;D@example.com\n${asha}`, ['R&D@example.com', asha]],
      [`R&eacute;my@example.com\n${asha}`, ['R&my@example.com', asha]],
      [`Kiran;R&D;${asha}\nTara;R&D;${ravi}`, [asha, ravi]],
      [`as\uFEFFha@example.com\n${ravi}`, [asha, ravi]],
      [`as\u200Bha@example.com\u200B${ravi}`, [asha, ravi]],
      [`asha@example.co\u200Bm/${ravi}`, [asha, ravi]],
    ])
  })

  it('reads keys before an address', async () => {
    const keys = [
      'email=',
      'uid=',
      '?email=',
      'E=',
      'to=',
      'https://example.org/?user=',
      'https://example.org/?a=1&mail=',
    ]
    await expectEach(keys.map((key) => [`${key}${asha}\n${ravi}`, [asha, ravi]]))
    await expectEach([[`mailto:${asha}?subject=Hello&cc=${ravi}&bcc=${tara}`, [asha, ravi, tara]]])
  })

  it('finds an address whatever sign touches it', async () => {
    const one: readonly ((text: string) => string)[] = [
      ...['।', '॥', '،', "'s", '’s', '&nbsp;', '?subject=Hello', '/', '-', '=', '\u200B'].map(
        (sign) => (text: string) => text + sign,
      ),
      ...['▪', '➢', '📧', '✓', '👉', '👉🏽 ', '✉️', '-', 'Asha: '].map((sign) => (text: string) => sign + text),
      ...['__', '_ _', '~~ ~~', '** **', '‹›', '‚‘', '‘’', '「」', '【】', '《》', '{}', "''", '**_ _**'].map(
        (pair) => (text: string) => {
          const middle = pair.includes(' ')
            ? pair.split(' ')
            : [pair.slice(0, pair.length / 2), pair.slice(pair.length / 2)]
          return middle.join(text)
        },
      ),
      (text) => `Asha &lt;${text}&gt;`,
      (text) => `{email: ${text}}`,
      (text) => `N'${text}'`,
      (text) => `[u'${text}',`,
      (text) => `\\"${text}\\"`,
    ]
    await expectEach(one.map((shape) => [`${ravi}\n${shape(asha)}`, [ravi, asha]]))
  })

  it('finds addresses and codes whatever separates them', async () => {
    const between = [
      '،',
      '؛',
      '」「',
      '\\n',
      '\\r\\n',
      '\\',
      '\u200B',
      '/',
      ' / ',
      '&',
      '*',
      '।',
      ',',
      "'/'",
      '}, {',
      '📧',
    ]
    await expectEach(between.map((sign) => [`${asha}${sign}${ravi}`, [asha, ravi]]))
    await expectEach([
      [`${code}/${code}`, [code, code]],
      [`${code}/${asha}`, [code, asha]],
      [`${asha}/${code}`, [asha, code]],
      [`#${code} ${asha}`, [code, asha]],
      [`${code}'s mail is ${asha}`, [code, asha]],
      [`https://example.org/?code=${code} ${asha}`, [code, asha]],
      [`${code}-Asha Rao\nRavi_${code}.pdf`, [code, code]],
      [`${code}@example.com\nravi+${code}@example.com`, [`${code}@example.com`, `ravi+${code}@example.com`]],
      [`1.${asha}\n2.${ravi}\n3. ${tara}`, [asha, ravi, tara]],
      [`Email\n1.${asha}\n2.${ravi}`, [asha, ravi]],
      // A number alone may be the beginning of an address.
      [`1.${asha}`, [`1.${asha}`]],
      [`${ravi}\n2.${asha}`, [ravi, `2.${asha}`]],
      ['ravi&#64;example.com, asha&commat;example.com\ntara@example.com', [ravi, asha, tara]],
      [`{${asha}, ${ravi}}`, [asha, ravi]],
    ])
  })

  it('shows no row that has only signs', async () => {
    const rows = [',,,', '|---|:-:|', '----+----', '[', ']', '{', '}', '(1 row)', ' (2 rows)', '***', '…']
    await expectEach([
      [`${rows.join('\n')}\n${asha}`, [asha]],
      [`${asha},,;;${ravi}`, [asha, ravi]],
    ])
  })

  it('reads one line of a megabyte that repeats one sign', async () => {
    const repeated = ['a', '@', '_', '.', 'x@', 'a at ', 'min-2026-', `${asha}/`]
    const lines = repeated.map((sign) => sign.repeat((1024 * 1024) / sign.length))
    const results = await Promise.all([...lines, `${lines[0]}@`].map(readContacts))
    expect(results.map((result) => result.isRead && result.contacts.length)).toEqual([
      1,
      false,
      false,
      false,
      1,
      1,
      1,
      61_680,
      1,
    ])
  })

  it('reads more addresses in a row than the server accepts', async () => {
    expect(await found('a@b.co,'.repeat(500_000))).toMatch(/^This has more than 100,000 entries/)
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
          `mailto:${text}?subject=${words.join('%20')}`,
          `${words.join(' ')} &lt;${text}&gt;`,
          `{email: '${text}'}`,
          `‹__${text}__›।`,
          `📧${text}’s`,
        )
        .map((shown) => ({ text, shown })),
    )

  it('finds what stands in it, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(mention, fc.constantFrom(', ', ';', '; ', '\t', '\n', '\r\n', '\n\n', ' | ', '،', '\\n', '」「')),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
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

  it('leaves an address whole that joins signs to letters', async () => {
    const joined = fc.tuple(fc.stringMatching(/^x[a-z]{0,8}[&=#?*~!{}/]$/), email).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(joined, { minLength: 1, maxLength: 10 }), async (addresses) => {
        expect(await found(addresses.join('\n'))).toEqual(addresses)
        expect(await found(addresses.join(', '))).toEqual(addresses)
      }),
    )
  })

  it('finds the same in a row, whatever blanks surround it', async () => {
    const row = fc.stringMatching(/^[a1._-]{1,4}@[a1._-]{1,3}(\.[a_-]{1,3})?$/)
    await fc.assert(
      fc.asyncProperty(row, async (text) => {
        expect(await found(text)).toEqual(await found(` ${text} `))
      }),
    )
  })

  it('finds the contacts in any column of a table, with any quotes and line ends', async () => {
    const note = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[@<>]|%40/g, ''))
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

  it.each([
    ['lines', '\n'],
    ['one row', ', '],
    ['one row with quoted names', ', "Rao, Asha" '],
  ])('lets other tasks have their turn while it reads a long list in %s', async (_shape, between) => {
    const addresses = Array.from({ length: 20_000 }, (_, n) => `learner${n}@example.com`)
    let turns = 0
    let isReading = true
    const reading = found(addresses.join(between)).finally(() => (isReading = false))
    while (isReading) {
      await nextTask()
      turns += 1
    }
    expect(await reading).toEqual(addresses)
    expect(turns).toBeGreaterThan(5)
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
