import type { EncryptedText } from '@portal/contracts/auth/events'
import type { LearnerRow } from '@portal/contracts/catalog/learners'
import type { FoundContact } from '@portal/contracts/notifications/audience-contacts'
import type { UserId } from '@portal/contracts/shared/ids'
import type { EnrollmentCommand } from './decider.ts'

export type StatedPayment = {
  readonly amount: number
  /** A day. */
  readonly paidOn: string
  readonly reference: string
}

/** A person and what the request wants for them. */
export type RequestedChange = {
  readonly row: Omit<LearnerRow, 'fate'> & { readonly userId: UserId }
  /** `encrypt` protects what the admin typed with the key of the person. `requestId` is another for each change of the person. */
  command(encrypt: (typed: string) => Promise<EncryptedText>, requestId: string): Promise<EnrollmentCommand>
  /** People without any enrollment are not looked at closer otherwise. */
  readonly isForNewLearners?: true
  /** One person can have several in a list. */
  readonly payment?: StatedPayment
}

const isDecided = (row: RequestedChange | LearnerRow): row is LearnerRow => 'fate' in row

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

/** What makes two rows of a person one and the same. */
const keyOf = ({ payment }: RequestedChange): string => {
  if (!payment) return ''
  const { reference, paidOn, amount } = payment
  return reference === '' ? `on ${paidOn}: ${amount}` : `with ${reference.toLowerCase()}`
}

export type PlannedChange = {
  /** In the list. */
  readonly index: number
  /** Which change of the person it is, by its place in the list. */
  readonly part: number
  readonly requested: RequestedChange
}

/** Payments are made in the order of their days, whatever the order of a bank's statement. */
const byDay = ({ requested: a }: PlannedChange, { requested: b }: PlannedChange): number =>
  (a.payment?.paidOn ?? '').localeCompare(b.payment?.paidOn ?? '')

/** The changes of each person in their order, and the rows that change nothing, at their places. */
export const planChanges = (requested: readonly (RequestedChange | LearnerRow)[]) => {
  const rows: LearnerRow[] = []
  const people = new Map<UserId, Map<string, PlannedChange>>()
  for (const [index, one] of requested.entries()) {
    if (isDecided(one)) {
      rows[index] = one
      continue
    }
    const { userId } = one.row
    const changes = people.get(userId) ?? new Map<string, PlannedChange>()
    const key = keyOf(one)
    if (changes.has(key)) rows[index] = { ...one.row, fate: 'repeated' }
    else people.set(userId, changes.set(key, { index, part: changes.size + 1, requested: one }))
  }
  return { rows, people: [...people.values()].map((changes) => [...changes.values()].toSorted(byDay)) }
}
