import { limits } from '@portal/contracts/shared/rules'
import { stripInvisible } from '@portal/contracts/shared/typed-input'
import { nextTask } from '../../../lib/next-task.ts'

/** What stands around an address or a code in any list, and never inside one. */
const separators = /[\s,;:<>()[\]"“”„«»|•·、。，；：（）…]+/u
/** Used only where several addresses hang together, because an address may contain them. */
const rareSeparators = /[/&=?!*#{}~]+/
/** Marks of a list or a sentence that touch an address. */
const marks = new Set("-–—*'‘’`.!?/")

/** Word processors replace hyphens. */
const studentCode = /^min[-‐-―−]\d{4}[-‐-―−][\da-z]{8}$/iu
const anyHyphen = /[‐-―−]/gu

const bare = (word: string): string => {
  let [start, end] = [0, word.length]
  while (start < end && marks.has(word.charAt(start))) start += 1
  while (end > start && marks.has(word.charAt(end - 1))) end -= 1
  return word.slice(start, end)
}

/** An entry that the server will not know is shown to the admin, up to this length. */
const shortened = (text: string): string => text.slice(0, limits.emailChars).trim()

const contactsOfWord = (word: string): readonly string[] => {
  const text = bare(word)
  if (studentCode.test(text)) return [text.replaceAll(anyHyphen, '-')]
  const isOne = text.indexOf('@') === text.lastIndexOf('@')
  const parts = isOne ? [text] : text.split(rareSeparators).map(bare)
  // A lone at sign or a name such as @asha is no entry.
  return parts.filter((part) => /[^@]@[^@]/.test(part)).map(shortened)
}

/** The addresses and codes of a row, as they stand there. */
const contactsOf = (row: string): readonly string[] => row.split(separators).flatMap(contactsOfWord)

/** A list in one row: what stands between its separators without an address is an entry, too. */
const entriesOf = (row: string): readonly string[] => {
  // In quotes, separators are part of a name.
  if (row.includes('"')) return contactsOf(row)
  return row.split(row.includes(';') ? ';' : /[,\t]/).flatMap((entry) => {
    const contacts = contactsOf(entry)
    return contacts.length > 0 ? contacts : [shortened(entry.trim())]
  })
}

/** A first row with one of these words names the columns. */
const heading = /\b(e-?mails?|mail|address(es)?|codes?|contacts?|names?|students?|learners?|recipients?|users?|to)\b/i

/** Most rows of long lists. Recognizing them takes a fifth of the time of what follows. */
const plainAddress = /^\w[\w.+-]*@\w[\w-]*(?:\.\w[\w-]*)+$/

/** The contacts of a row, or the row itself if it has none. */
const entriesOfRow = (row: string, rows: readonly string[]): readonly string[] => {
  if (plainAddress.test(row)) return [shortened(row)]
  const text = stripInvisible(row)
  const contacts = rows.length === 1 ? entriesOf(text) : contactsOf(text)
  if (contacts.length > 0) return contacts
  return row === rows[0] && heading.test(text) ? [] : [shortened(text.replaceAll(/\s+/g, ' ').trim())]
}

/** How many rows are read before other tasks have their turn: some milliseconds. */
const rowsAtOnce = 2_000

/**
 * Finds the e-mail addresses and student codes in the rows of a list of any shape, in their order and with repetitions. A row with
 * none of them is an entry that is unknown, except a heading: nothing disappears.
 */
export const findContacts = async (rows: readonly string[]): Promise<readonly string[]> => {
  const contacts: string[] = []
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await nextTask()
    contacts.push(...entriesOfRow(row, rows))
  }
  return contacts.filter((contact) => contact !== '')
}
