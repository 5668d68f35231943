import { email } from '@portal/contracts/shared/rules'
import { findContacts } from '../../../lib/lists/find-contacts.ts'
import { rowsOf } from '../../../lib/lists/rows.ts'

/** A line of a pasted list. Without an invitee it has no address. */
export type ListedLine = {
  readonly text: string
  readonly invitee?: { readonly fullName: string; readonly personalEmail: string }
}

/** More lines than an admin can invite in hours. */
export const maxListedLines = 100

const number = /^\s*\d{1,4}[.)]\s+/
const quoted = /["“]([^"”]+)["”]/
const cellBorder = /[\t,;|<>()[\]:]/
const hasLetter = /\p{L}/u

/** In quotes, a comma is part of a name. Otherwise the first cell with a letter is the name. */
const nameIn = (text: string): string => {
  const plain = text.replace(number, '')
  const name = quoted.exec(plain)?.[1] ?? plain.split(cellBorder).find((cell) => hasLetter.test(cell)) ?? ''
  return name.replaceAll(/\s+/g, ' ').replaceAll(/^[\s"'-]+|[\s"'-]+$/g, '')
}

const linesOfRow = (row: string, addresses: readonly string[]): readonly ListedLine[] => {
  let end = 0
  return addresses.map((personalEmail) => {
    const start = row.indexOf(personalEmail, end)
    const before = start === -1 ? '' : row.slice(end, start)
    end = start === -1 ? end : start + personalEmail.length
    const isOnly = addresses.length === 1
    const fullName = nameIn(before) || (isOnly && start !== -1 ? nameIn(row.slice(end)) : '')
    return { text: row, invitee: { fullName, personalEmail } }
  })
}

/** The people of a list of any shape that has the name and the address of each in a line. Headings are left out. */
export const readInvitees = async (text: string): Promise<readonly ListedLine[]> => {
  const lines: ListedLine[] = []
  for (const row of rowsOf(text).slice(0, maxListedLines + 1)) {
    // A list of one row would be split at its commas.
    const contacts = await findContacts([row, ''])
    const addresses = contacts.filter((contact) => email.safeParse(contact).success)
    if (addresses.length > 0) lines.push(...linesOfRow(row, addresses))
    else if (contacts.length > 0) lines.push({ text: row.trim() })
  }
  return lines
}
