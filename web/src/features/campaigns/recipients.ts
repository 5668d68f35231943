import type { UserId } from '@portal/contracts/shared/ids'
import type { LoadState } from '../../lib/query.ts'
import { matchesAllWords, normalizeForSearch } from '../../lib/search-text.ts'
import { sortRows } from '../../ui/table/sort.ts'

/** A user in the send form. */
export type Recipient = {
  readonly id: UserId
  readonly fullName: string
  readonly email: string
  readonly role: string
  /** Whether the user has verified the email address. */
  readonly isEmailVerified: boolean
}

export type Recipients = { readonly state: LoadState<readonly Recipient[]>; readonly reload: () => void }

export const emailNotVerified = 'Email not verified'

type RecipientIndex = readonly { readonly recipient: Recipient; readonly text: string }[]

const searchableText = ({ fullName, email, role, isEmailVerified }: Recipient): string =>
  [fullName, email, role, ...(isEmailVerified ? [] : [emailNotVerified])].join(' ')

/** Normalizes the texts once per list, so that each keystroke only compares. */
export const indexRecipients = (recipients: readonly Recipient[]): RecipientIndex =>
  recipients.map((recipient) => ({
    recipient,
    text: normalizeForSearch(searchableText(recipient)),
  }))

/** The recipients whose name, email address, role or verification note contains every word of the query. */
export const filterRecipients = (index: RecipientIndex, query: string): readonly Recipient[] =>
  index.filter(({ text }) => matchesAllWords(text, query)).map(({ recipient }) => recipient)

export const recipientOrders = ['fullName', 'email', 'role'] as const
export type RecipientOrder = (typeof recipientOrders)[number]

/** Sorted by name, address or role. The sort is stable: users with the same role stay sorted by name. */
export const orderRecipients = (recipients: readonly Recipient[], order: RecipientOrder): readonly Recipient[] =>
  sortRows(recipients, { column: order, direction: 'ascending' }, (recipient, column) => recipient[column])

export type Chosen = ReadonlySet<UserId>
export const noneChosen: Chosen = new Set()

/** A campaign to more recipients needs a confirmation, because it cannot be undone. */
export const confirmAbove = 100

export const toggle = (chosen: Chosen, id: UserId): Chosen => {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Whether none, some or all of the shown recipients are chosen. */
export const chosenShare = (chosen: Chosen, shown: readonly Recipient[]): 'none' | 'some' | 'all' => {
  const count = shown.reduce((sum, { id }) => sum + (chosen.has(id) ? 1 : 0), 0)
  if (count === 0) return 'none'
  return count === shown.length ? 'all' : 'some'
}

/** 'Select all' affects only the shown recipients. Recipients that the search hides keep their state. */
export const toggleAll = (chosen: Chosen, shown: readonly Recipient[]): Chosen => {
  const next = new Set(chosen)
  const allChosen = chosenShare(chosen, shown) === 'all'
  for (const { id } of shown) {
    if (allChosen) next.delete(id)
    else next.add(id)
  }
  return next
}

/** Adds a range of rows, both ends included. */
export const chooseRange = (chosen: Chosen, shown: readonly Recipient[], from: number, to: number): Chosen => {
  const next = new Set(chosen)
  for (const { id } of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(id)
  return next
}
