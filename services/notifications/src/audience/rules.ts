import type { Audience } from '@portal/contracts/notifications/audience'
import type { UserId } from '@portal/contracts/shared/ids'
import type { IndexedEnrollment, IndexedPerson, University } from './indexed-person.ts'

/** A rule of a request, or a recorded one, which has the users whom its contacts named instead of the contacts. */
export type Rule = Audience & { readonly contactIds?: readonly UserId[] | undefined }

/** What a rule needs to know beside the user. */
type RuleFacts = {
  /** The universities that the rule names. As objects, because a rename changes their names while the rule is evaluated. */
  readonly universities: ReadonlySet<University>
  /** The users whom the contacts of the rule name. */
  readonly contacts: ReadonlySet<UserId>
  /** The recipients of the notification in `unreadOf` who have not read it. */
  readonly unread: ReadonlySet<UserId>
}

export type Condition = (person: IndexedPerson) => boolean

const isGiven = <Item>(list: readonly Item[] | undefined): list is readonly Item[] =>
  list !== undefined && list.length > 0

const setOf = <Item>(list: readonly Item[] | undefined): ReadonlySet<Item> | undefined =>
  isGiven(list) ? new Set(list) : undefined

/** Whether an enrollment matches all kinds that are about enrollments. Undefined if none is given. */
const enrollmentCondition = (audience: Audience): ((enrollment: IndexedEnrollment) => boolean) | undefined => {
  const programs = setOf(audience.programIds)
  const payments = setOf(audience.paymentStatuses)
  const semesters = setOf(audience.semesters)
  const installments: ReadonlySet<number | undefined> | undefined = setOf(audience.installmentsDue)
  if (!programs && !payments && !semesters && !installments) return undefined
  return ({ programId, paymentStatus, semester, installmentDue }) =>
    (programs?.has(programId) ?? true) &&
    (payments?.has(paymentStatus) ?? true) &&
    (semesters?.has(semester) ?? true) &&
    (installments?.has(installmentDue) ?? true)
}

/** The conditions of the kinds that restrict the rule. */
const conditionsOf = (audience: Rule, facts: RuleFacts): readonly Condition[] => {
  const { everyone, universityNames, roles, contacts, contactIds, unreadOf } = audience
  const conditions: Condition[] = []
  if (everyone) conditions.push(() => true)
  if (isGiven(roles)) conditions.push(({ role }) => roles.some((one) => one === role))
  const isWanted = enrollmentCondition(audience)
  if (isWanted) conditions.push(({ enrollments }) => enrollments.some(isWanted))
  if (isGiven(universityNames)) {
    conditions.push(({ profile }) => profile !== undefined && facts.universities.has(profile.university))
  }
  if (isGiven(contacts) || contactIds !== undefined) conditions.push(({ userId }) => facts.contacts.has(userId))
  if (unreadOf !== undefined) conditions.push(({ userId }) => facts.unread.has(userId))
  return conditions
}

/**
 * Returns whether the conditions of a rule select a user, without `include` and `exclude`. They never select an
 * admin, and no one if there is no condition.
 */
export const createCondition = (audience: Rule, facts: RuleFacts): Condition => {
  const conditions = conditionsOf(audience, facts)
  if (conditions.length === 0) return () => false
  return (person) => person.role !== 'admin' && conditions.every((isMet) => isMet(person))
}

/** Whether names must be decrypted before the rule can be evaluated. */
export const needsProfiles = ({ universityNames, contacts }: Audience): boolean =>
  isGiven(universityNames) || isGiven(contacts)
