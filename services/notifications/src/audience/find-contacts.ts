import type { FoundContact } from '@portal/contracts/notifications/audience-contacts'
import { cleanEmail } from '@portal/contracts/shared/typed-input'
import { forEachPerson } from './for-each-person.ts'
import type { IndexedPerson } from './indexed-person.ts'
import type { PeopleIndex } from './people-index.ts'

const present = (contact: string, person: IndexedPerson | undefined): FoundContact => {
  // Nobody else gets the contacts of a user who is erased meanwhile.
  if (person?.profile === undefined) return { contact }
  const { userId, role, isDeactivated, profile } = person
  return { contact, person: { userId, role, isDeactivated, fullName: profile.fullName } }
}

/** Returns the people with these e-mail addresses and student codes, in the order of the contacts. */
export const createFindContacts =
  (people: Pick<PeopleIndex, 'snapshot'>) =>
  async (contacts: readonly string[]): Promise<FoundContact[]> => {
    const { all } = await people.snapshot()
    const wanted = new Set(contacts.map(cleanEmail))
    wanted.delete('')
    const found = new Map<string, IndexedPerson>()
    await forEachPerson(all(), (person) => {
      const { emailKey = '', codeKey = '' } = person.profile ?? {}
      if (wanted.has(emailKey)) found.set(emailKey, person)
      if (wanted.has(codeKey)) found.set(codeKey, person)
    })
    return contacts.map((contact) => present(contact, found.get(cleanEmail(contact))))
  }
export type FindContacts = ReturnType<typeof createFindContacts>
