import { limits } from '@portal/contracts/shared/rules'
import { maxListBytes, readListFile } from '../../../lib/lists/read-list-file.ts'
import { rowsOf } from '../../../lib/lists/rows.ts'
import { formatCount } from '../progress.ts'
import { findContacts } from '../../../lib/lists/find-contacts.ts'

type ReadContacts =
  { readonly isRead: true; readonly contacts: readonly string[] } | { readonly isRead: false; readonly message: string }

const rejected = (message: string): ReadContacts => ({ isRead: false, message })

const tooLarge = rejected('This is larger than 5 MB. Keep only the column with email addresses or student codes.')

const tooMany = rejected(
  `This has more than ${formatCount(limits.audienceContacts)} entries. Split it and send in several steps.`,
)

/** Finds the e-mail addresses and student codes in pasted text. */
export const readContacts = async (text: string): Promise<ReadContacts> => {
  if (text.length > maxListBytes) return tooLarge
  const contacts = await findContacts(rowsOf(text))
  if (contacts.length > limits.audienceContacts) return tooMany
  return contacts.length === 0
    ? rejected('No email addresses or student codes were found.')
    : { isRead: true, contacts }
}

/** Finds them in a text file or an Excel workbook. */
export const readContactsFile = async (file: File): Promise<ReadContacts> => {
  if (file.size > maxListBytes) return tooLarge
  const list = await readListFile(file)
  return list.isRead ? readContacts(list.text) : list
}
