import { limits } from '@portal/contracts/shared/rules'
import { loadForPage } from '../../../lib/load-module.ts'
import { formatCount } from '../progress.ts'
import { findContacts, type Rows } from './find-contacts.ts'

export const maxContactBytes = 5 * 1024 * 1024

type ReadContacts =
  { readonly isRead: true; readonly contacts: readonly string[] } | { readonly isRead: false; readonly message: string }

const rejected = (message: string): ReadContacts => ({ isRead: false, message })

const tooLarge = rejected('This is larger than 5 MB. Keep only the column with email addresses or student codes.')

const tooManyRows = rejected(
  `This has more than ${formatCount(limits.audienceContacts)} rows. Split it and send in several steps.`,
)

/** The library loads on first use, because few sends need it. */
const parseRows = async (text: string): Promise<Rows> => {
  const { default: Papa } = await loadForPage(() => import('papaparse'))
  const { data } = Papa.parse<readonly string[]>(text.replace(/^\uFEFF/, ''), {
    delimitersToGuess: [',', ';', '\t'],
    skipEmptyLines: 'greedy',
    // One row for the header, and one that shows that there are too many.
    preview: limits.audienceContacts + 2,
  })
  return data
}

/** Finds the e-mail addresses and student codes in pasted text or in the text of a CSV file. */
export const readContacts = async (text: string): Promise<ReadContacts> => {
  if (text.length > maxContactBytes) return tooLarge
  const contacts = findContacts(await parseRows(text))
  if (contacts.length > limits.audienceContacts) return tooManyRows
  return contacts.length === 0
    ? rejected('No email addresses or student codes were found.')
    : { isRead: true, contacts }
}

/** Excel saves "Unicode text" as UTF-16 with a byte order mark. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)

export const readContactsFile = async (file: File): Promise<ReadContacts> =>
  file.size > maxContactBytes ? tooLarge : readContacts(decode(new Uint8Array(await file.arrayBuffer())))
