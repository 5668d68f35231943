import { z } from 'zod'
import { normalizeText, searchWords } from '../shared/search-text.ts'
import { limits } from '../shared/rules.ts'
import { notificationTypeSchema, notificationTypes } from './notification.ts'

const listed = (types: string | string[]): string[] =>
  [types].flat().flatMap((part) => part.split(',').filter((type) => type !== ''))

/** What the documentation says of several types in one parameter. */
const typesPattern = `^(${notificationTypes.join('|')})(,(${notificationTypes.join('|')}))*$`

/** What a user can filter their inbox by. Withdrawn notifications match no filter. */
export const inboxFilterSchema = z.object({
  filter: z.literal('unread').optional(),
  /** One or more types: repeated, or separated by commas. */
  type: z
    .union([z.string().meta({ pattern: typesPattern }), z.array(z.string().meta({ enum: [...notificationTypes] }))])
    .transform(listed)
    .pipe(z.array(notificationTypeSchema))
    .optional(),
  /** Matches every word in the title or the message. */
  q: z.string().trim().max(limits.inboxQueryChars).optional(),
})
export type InboxFilter = z.output<typeof inboxFilterSchema>

export const isFiltered = ({ filter, type = [], q = '' }: InboxFilter): boolean =>
  filter !== undefined || type.length > 0 || q !== ''

type FilteredText = { readonly title: string; readonly message: string; readonly type: string }

/** A text as a filter sees it. */
export type FilterText = { readonly type: string; readonly words: string }

export const filterTextOf = ({ title, message, type }: FilteredText): FilterText => ({
  type: type || 'General',
  words: normalizeText(`${title}\n${message}`),
})

/** Whether a filter looks at texts. */
export const filtersTexts = ({ type = [], q = '' }: InboxFilter): boolean => type.length > 0 || q !== ''

/** The part of a filter about texts. */
export const matchesText = ({ type = [], q = '' }: InboxFilter): ((text: FilterText) => boolean) => {
  const types = new Set<string>(type)
  const words = searchWords(q)
  return (text) => (types.size === 0 || types.has(text.type)) && words.every((word) => text.words.includes(word))
}
