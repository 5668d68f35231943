import type { UserId } from '@portal/contracts/shared/ids'
import type { LoadState } from '../../lib/query.ts'
import { matchesAllWords, normalizeForSearch } from '../../lib/search-text.ts'
import { sortRows } from '../../ui/table/sort.ts'

/** What the send form needs to know of a user. */
export type Recipient = {
  readonly id: UserId
  readonly fullName: string
  readonly email: string
  readonly role: string
  /** Whether the user proved that the address is theirs. */
  readonly isEmailVerified: boolean
}

export type Recipients = { readonly state: LoadState<readonly Recipient[]>; readonly reload: () => void }

export const emailNotVerified = 'Email not verified'

type RecipientIndex = readonly { readonly recipient: Recipient; readonly text: string }[]

const searchableText = ({ fullName, email, role, isEmailVerified }: Recipient): string =>
  [fullName, email, role, ...(isEmailVerified ? [] : [emailNotVerified])].join(' ')

/** Prepared once a list, so that each keystroke only compares. */
export const indexRecipients = (recipients: readonly Recipient[]): RecipientIndex =>
  recipients.map((recipient) => ({
    recipient,
    text: normalizeForSearch(searchableText(recipient)),
  }))

/** Those in whom every word of the query is found: in name, e-mail address, role or mark. */
export const filterRecipients = (index: RecipientIndex, query: string): readonly Recipient[] =>
  index.filter(({ text }) => matchesAllWords(text, query)).map(({ recipient }) => recipient)

export const recipientOrders = ['fullName', 'email', 'role'] as const
export type RecipientOrder = (typeof recipientOrders)[number]

/** By name, address or role; those of one role stay as they came, by name. */
export const orderRecipients = (recipients: readonly Recipient[], order: RecipientOrder): readonly Recipient[] =>
  sortRows(recipients, { column: order, direction: 'ascending' }, (recipient, column) => recipient[column])

export type Chosen = ReadonlySet<UserId>
export const noneChosen: Chosen = new Set()

/** A send to more recipients than this is confirmed first: it cannot be undone. */
export const confirmAbove = 100

export const toggle = (chosen: Chosen, id: UserId): Chosen => {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

/** How much of what the list shows is chosen. */
export const chosenShare = (chosen: Chosen, shown: readonly Recipient[]): 'none' | 'some' | 'all' => {
  const count = shown.reduce((sum, { id }) => sum + (chosen.has(id) ? 1 : 0), 0)
  if (count === 0) return 'none'
  return count === shown.length ? 'all' : 'some'
}

/** 'Select all' speaks of the shown ones only; who is hidden by the search stays as chosen or not chosen as before. */
export const toggleAll = (chosen: Chosen, shown: readonly Recipient[]): Chosen => {
  const next = new Set(chosen)
  const allChosen = chosenShare(chosen, shown) === 'all'
  for (const { id } of shown) {
    if (allChosen) next.delete(id)
    else next.add(id)
  }
  return next
}

/** Adds the rows from one to another, as Shift does in lists, both ends included. */
export const chooseRange = (chosen: Chosen, shown: readonly Recipient[], from: number, to: number): Chosen => {
  const next = new Set(chosen)
  for (const { id } of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(id)
  return next
}
