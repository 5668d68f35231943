import type { EncryptedText } from '@portal/contracts/auth/events'
import type { LearnerRow } from '@portal/contracts/catalog/learners'
import type { FoundContact } from '@portal/contracts/notifications/audience-contacts'
import type { UserId } from '@portal/contracts/shared/ids'
import type { EnrollmentCommand } from './decider.ts'

/** A person and what the request wants for them. */
export type RequestedChange = {
  readonly row: Omit<LearnerRow, 'fate'> & { readonly userId: UserId }
  /** `encrypt` protects what the admin typed with the key of the person. */
  command(encrypt: (typed: string) => Promise<EncryptedText>): Promise<EnrollmentCommand>
  /** People without any enrollment are not looked at closer otherwise. */
  readonly isForNewLearners?: true
}

export const isDecided = (row: RequestedChange | LearnerRow): row is LearnerRow => 'fate' in row

/** The change of a row in a list, or why there is none. */
export const rowOfContact = (
  { contact, person }: FoundContact,
  change: (userId: UserId) => Omit<RequestedChange, 'row'>,
): RequestedChange | LearnerRow => {
  if (!person) return { contact, fate: 'unknown' }
  const { userId, fullName, role, isDeactivated } = person
  const row = { userId, contact, fullName }
  if (role !== 'student') return { ...row, fate: 'not-a-learner' }
  if (isDeactivated) return { ...row, fate: 'deactivated' }
  return { row, ...change(userId) }
}

/** Only the first row of a person counts. */
export const withoutRepetitions = (
  rows: readonly (RequestedChange | LearnerRow)[],
): readonly (RequestedChange | LearnerRow)[] => {
  const seen = new Set<UserId>()
  return rows.map((row) => {
    if (isDecided(row)) return row
    const { userId } = row.row
    if (seen.has(userId)) return { ...row.row, fate: 'repeated' }
    seen.add(userId)
    return row
  })
}
