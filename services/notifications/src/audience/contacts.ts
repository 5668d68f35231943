import type { IndexedPerson } from './indexed-person.ts'

export type ContactMatcher = {
  /** Whether a contact is the e-mail address or the student code of the user. */
  isContact(person: Pick<IndexedPerson, 'profile'>): boolean
  /** Call it once for every user before `report`. */
  count(person: Pick<IndexedPerson, 'profile'>): void
  report(): { readonly unknown: readonly string[]; readonly duplicates: number }
}

type Contact = { readonly given: string; isFound: boolean }

/** Matches pasted contacts, without regard to case. Blank ones are ignored. */
export const matchContacts = (contacts: readonly string[]): ContactMatcher => {
  const byKey = new Map<string, Contact>()
  let duplicates = 0
  for (const given of contacts) {
    const key = given.toLowerCase()
    if (key === '') continue
    if (byKey.has(key)) duplicates += 1
    else byKey.set(key, { given, isFound: false })
  }

  const contactsOf = ({ profile }: Pick<IndexedPerson, 'profile'>): readonly Contact[] => {
    if (profile === undefined || byKey.size === 0) return []
    const { personalEmail, studentCode } = profile
    const keys = [personalEmail, studentCode].filter((text) => text !== '').map((text) => text.toLowerCase())
    return keys.flatMap((key) => byKey.get(key) ?? [])
  }

  return {
    isContact: (person) => contactsOf(person).length > 0,
    count: (person) => {
      const found = contactsOf(person)
      for (const contact of found) contact.isFound = true
      if (found.length > 1) duplicates += found.length - 1
    },
    report: () => ({
      unknown: [...byKey.values()].filter(({ isFound }) => !isFound).map(({ given }) => given),
      duplicates,
    }),
  }
}
