import { cleanEmail } from '@portal/contracts/shared/typed-input'
import type { UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { forEachPerson } from './for-each-person.ts'
import type { IndexedPerson } from './indexed-person.ts'

export type MatchedContacts = {
  readonly userIds: ReadonlySet<UserId>
  /** The contacts of no user, as given, each once. */
  readonly unknown: readonly string[]
  /** How many contacts repeat an earlier one or its user. */
  readonly duplicates: number
  /** How many contacts are not blank. */
  readonly given: number
}

type Contact = { readonly given: string; isFound: boolean }

/** Adding this many takes about a millisecond. */
const contactsAtOnce = 1_000

/**
 * Finds the users whose e-mail address or student code is a contact, in the one form that both are compared in. Blank contacts are
 * ignored.
 */
export const matchContacts = async (
  contacts: readonly string[],
  everyone: Iterable<Pick<IndexedPerson, 'userId' | 'profile'>>,
): Promise<MatchedContacts> => {
  const byKey = new Map<string, Contact>()
  let [given, duplicates] = [0, 0]
  for (const [index, contact] of contacts.entries()) {
    if (index % contactsAtOnce === 0) await yieldToEventLoop()
    const key = cleanEmail(contact)
    if (key === '') continue
    given += 1
    if (byKey.has(key)) duplicates += 1
    else byKey.set(key, { given: contact, isFound: false })
  }

  const userIds = new Set<UserId>()
  const find = (key: string | undefined, userId: UserId): void => {
    const contact = key === undefined ? undefined : byKey.get(key)
    if (contact === undefined) return
    contact.isFound = true
    if (userIds.has(userId)) duplicates += 1
    userIds.add(userId)
  }
  if (byKey.size > 0) {
    await forEachPerson(everyone, ({ userId, profile }) => {
      find(profile?.emailKey, userId)
      find(profile?.codeKey, userId)
    })
  }
  const unknown: string[] = []
  for (const contact of byKey.values()) if (!contact.isFound) unknown.push(contact.given)
  return { userIds, unknown, duplicates, given }
}
