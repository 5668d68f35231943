import { limits } from '@portal/contracts/shared/rules'
import { stripInvisible } from '@portal/contracts/shared/typed-input'
import { nextTask } from '../next-task.ts'

/** A comma that was typed for a dot belongs to the address, as what stands before it is another person's. */
const comma = /,(?!(?:com|org|net|edu|gov|in)(?![\p{L}\d]))/u
/** What stands around an address or a code in any list, and never inside one. */
const separator = new RegExp(
  String.raw`[\s;:<>()[\]"“”„«»‹›|•·、。，；：（）「」『』【】《》〈〉…।॥،؛\p{So}\p{Emoji_Modifier}]|${comma.source}`,
  'u',
)
/** Marks of a list or a sentence that touch an address. */
const marks = new Set("-–—*'‘’‚`.!?/\\~{}")

/** Without the signs that join addresses, although an address may contain them. The bounds keep long words fast. */
const address = /([^@/&=?#\\~*!{}]{1,64}@[\p{L}\p{M}\p{N}.．_,-]{1,255})/u
/** What else stands before the first address of a word may be part of it. */
const beforeFirst = /^$|(?:^|[?&])(?:e|e?-?mail|uid|user|to|b?cc|recipients?|contact)=$/i
/** A domain ends at any of these signs. */
const between = /^[^@\p{L}\p{N}]+$|[?&](?:to|b?cc)=$/iu
const afterLast = /^(?:['’]s)?[^@\p{L}\p{N}]*$|^[/?&#]/u
/** A lone at sign or a name such as @asha is no entry. */
const brokenAddress = /[\p{L}\p{N}]@|@[^@.]*\.[\p{L}\p{N}]/u
/** Not a site: those begin with slashes or www. */
const withoutAtSign = /^(?!www\.)[\p{L}\d][\p{L}\d._+-]*\.[\p{L}\d-]+\.(?:com|org|net|edu|gov|in)[.!?]*$/iu

/** Word processors replace hyphens. */
const studentCode = /(?:^|[^\p{L}\p{N}])(min[-‐-―−]\d{4}[-‐-―−][\da-z]{8})(?![\p{L}\p{N}])/giu
const anyHyphen = /[‐-―−]/gu
const brokenCode = /(?:^|[^\p{L}\p{N}])min[-‐-―−_]?\d{4}/iu

/** An entry that the server will not know is shown to the admin, up to this length. */
const shortened = (text: string): string => text.slice(0, limits.emailChars).trim()

const bare = (word: string): string => {
  let [start, end] = [0, word.length]
  while (start < end && marks.has(word.charAt(start))) start += 1
  while (end > start && marks.has(word.charAt(end - 1))) end -= 1
  // In pairs: an address may begin with one.
  while (end - start > 1 && word.charAt(start) === '_' && word.charAt(end - 1) === '_')
    [start, end] = [start + 1, end - 1]
  return word.slice(start, end)
}

const codesOf = (text: string): readonly string[] =>
  [...text.matchAll(studentCode)].map(([, code = '']) => code.replaceAll(anyHyphen, '-'))

/** The word itself where it is not clear which part of it is an address: a part could be another person's. */
const addressesOf = (word: string): readonly string[] => {
  const parts = word.split(address)
  if (parts.length === 1) return brokenAddress.test(word) ? [word] : []
  const [addresses, gaps] = [parts.filter((_, n) => n % 2 === 1), parts.filter((_, n) => n % 2 === 0)]
  const last = gaps.pop() ?? ''
  const isClear = gaps.every((gap, n) => (n === 0 ? beforeFirst : between).test(gap)) && afterLast.test(last)
  return isClear ? [...addresses.map(bare), ...codesOf(last)] : [word]
}

/** Most rows and words of long lists. Recognizing them takes a fifth of the time of what follows, which would leave them as they are. */
const plainEntry = /^(?!\d+\.)[a-z\d][\w.+-]*@(?:[a-z\d][\w-]*\.)+[a-z\d]+$|^min-\d{4}-[\da-z]{8}$/i

const contactsOfWord = (word: string): readonly string[] => {
  if (plainEntry.test(word)) return [word]
  // Texts of SQL and Python.
  if (word.includes('@')) return addressesOf(bare(word.replace(/^[Nu]'(?=[^']*'$)/, '')))
  if (!brokenCode.test(word)) return withoutAtSign.test(word) ? [word] : []
  const codes = codesOf(word)
  return codes.length > 0 ? codes : [word]
}

const mayBeSpelled = /\P{L}at\P{L}|\s@|@\s/iu
const inWord = String.raw`[^\s,;:<>()[\]"@]`
const label = String.raw`[\p{L}\d-]{1,63}`
const at = String.raw`(?:\s*[([{<]\s*at\s*[)\]}>]\s*|\s+at\s+|\s+@\s*|@\s+)`
const dot = String.raw`(?:\.|\s*[([{<]\s*dot\s*[)\]}>]\s*|\s+dot\s+)`
/** Matches `asha (at) example.com` and `asha @example.com`, but not `me at asha.rao@example.com`. */
const spelledAddress = new RegExp(`(${inWord}{1,64}${at}${label}(?:${dot}${label}){1,8}(?!${inWord}{0,64}@))`, 'iu')

/** Only signs, such as the line below a heading, or what a database writes below a table. */
const noise = /^(?:[^\p{L}\p{N}]*|\s*\(\d+ rows?\)\s*)$/u

const unknownOf = (text: string): readonly string[] =>
  noise.test(text) ? [] : [shortened(text.replaceAll(/\s+/g, ' ').trim())]

const wordsOf = (text: string): readonly string[] => text.split(separator).filter((word) => word !== '')

/** The addresses and codes of a row, and what was meant as one, as they stand there. */
const contactsOf = (row: string): readonly string[] => {
  const parts = mayBeSpelled.test(row) ? row.split(spelledAddress) : [row]
  // The separators of this split are kept, at odd places.
  const contacts = parts.flatMap((part, n) => (n % 2 === 1 ? unknownOf(part) : wordsOf(part).flatMap(contactsOfWord)))
  return contacts.map(shortened)
}

/** How many rows, or entries of one row, are read before other tasks have their turn: some milliseconds. */
const readAtOnce = 2_000

const readInTurns = async (
  texts: readonly string[],
  read: (text: string, index: number) => readonly string[],
): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [index, text] of texts.entries()) {
    if (index % readAtOnce === readAtOnce - 1) await nextTask()
    for (const contact of read(text, index)) found.push(contact)
  }
  return found
}

const quotedSeparator = new RegExp(`;|${comma.source}`, 'u')

/** A list in one row: what stands between its separators without an address is an entry, too. */
const entriesOf = (row: string): Promise<readonly string[]> => {
  // In quotes, separators are part of a name.
  if (row.includes('"')) return readInTurns(row.split(quotedSeparator), contactsOf)
  const entries = row.includes(';') ? row.split(';') : row.split('\t').flatMap((cell) => cell.split(comma))
  return readInTurns(entries, (entry) => {
    const contacts = contactsOf(entry)
    return contacts.length > 0 ? contacts : unknownOf(entry)
  })
}

const columnWords = new Set(
  `email emails e-mail e-mails mail mails id ids address addresses code codes contact contacts name names full first last given family value type label
  student students learner learners user users recipient recipients to cc bcc list of alternative personal
  university college department program course batch city state country phone mobile number no roll note status role
  date timestamp`.split(/\s+/),
)

/** Names of columns: one alone, or several, because a person's row may contain one. */
const isHeading = (row: string): boolean => {
  const cells = row.split(/[,;\t|]/).flatMap((cell) => {
    const words = cell.toLowerCase().match(/[\p{L}-]*\p{L}/gu)
    return words ? [words] : []
  })
  const named = cells.filter((words) => words.every((word) => columnWords.has(word)))
  return !/@|\d\d|\p{L}{2}\.\p{L}{2}/u.test(row) && (named.length > 1 || named.length === cells.length)
}

const atSign = /[＠﹫]|%40/g
const writtenLineBreak = /(?:\\r)?\\n/g
const markup = /&#?(\d{1,5}|x40|commat|amp|lt|gt|nbsp|quot|apos|[a-z](?:acute|grave|circ|tilde|uml|cedil));/gi
const markupOfAt = new Set(['64', 'x40', 'commat'])
const markupOfBlanks = new Set(['lt', 'gt', 'nbsp', 'quot', 'apos', '39', '160'])
const codeBeforeSlash = /(^|[^\p{L}\p{N}])(min[-‐-―−]\d{4}[-‐-―−][\da-z]{8})\//giu
/** Elsewhere, an invisible blank may stand inside an address. */
const blankBetween = /(@[\p{L}\d.-]+)\u200B+(?=[\p{L}\d._+'-]+@)/gu

/** Most rows have nothing of all that. */
const plainText = /^[\w \t\n.,;:@<>()"'+-]*$/

const legible = (row: string): string => {
  if (plainText.test(row)) return row
  const text = row
    .replaceAll(atSign, '@')
    .replaceAll(writtenLineBreak, ' ')
    .replaceAll(markup, (_, name: string) => (markupOfAt.has(name) ? '@' : markupOfBlanks.has(name) ? ' ' : '&'))
    .replaceAll(codeBeforeSlash, '$1$2 ')
    .replaceAll(blankBetween, '$1 ')
  return stripInvisible(text)
}

/** An address may begin so, unless the number counts the rows. */
const withoutNumber = (row: string, index: number, rows: readonly string[]): string => {
  const number = /^\s*(\d{1,6})\.(?=[a-z_]\S*@)/i.exec(row)
  if (!number) return row
  const n = Number(number[1])
  const isNumbered = (other: string | undefined, as: number) => other?.trimStart().startsWith(`${as}.`) === true
  return isNumbered(rows[index + 1], n + 1) || isNumbered(rows[index - 1], n - 1) ? row.slice(number[0].length) : row
}

/** A row without contacts is an entry itself. */
const orUnknown = (contacts: readonly string[], text: string, isFirst: boolean): readonly string[] =>
  contacts.length > 0 ? contacts : isFirst && isHeading(text) ? [] : unknownOf(text)

const contactsOfRow = (row: string, index: number, rows: readonly string[]): readonly string[] => {
  if (plainEntry.test(row)) return [shortened(row)]
  const text = withoutNumber(legible(row), index, rows)
  return orUnknown(contactsOf(text), text, row === rows[0])
}

const contactsOfOnlyRow = async (row: string): Promise<readonly string[]> => {
  const text = legible(row)
  return orUnknown(await entriesOf(text), text, true)
}

/**
 * Finds the e-mail addresses and student codes in the rows of a list of any shape, in their order and with repetitions. A row with
 * none of them is an entry that is unknown, except a heading: nothing disappears.
 */
export const findContacts = async (rows: readonly string[]): Promise<readonly string[]> => {
  const [first, second] = rows
  const contacts =
    first !== undefined && second === undefined
      ? await contactsOfOnlyRow(first)
      : await readInTurns(rows, (row, index) => contactsOfRow(row, index, rows))
  return contacts.filter((contact) => contact !== '')
}
