import type { Audience } from '@portal/contracts/notifications/audience'

export type SentenceFacts = {
  readonly programNames: readonly string[]
  /** Title of the notification in `unreadOf`; undefined if it is unavailable. */
  readonly remindedTitle?: string | undefined
  /** Contacts of the rule that are not blank. */
  readonly contacts: number
  /** Users whom only `include` adds. */
  readonly added: number
  /** Users whom `exclude` removes. */
  readonly removed: number
  readonly count: number
}

/** The console groups digits in the same way. */
const numbers = new Intl.NumberFormat('en-US')

export const counted = (count: number, one: string, many: string): string =>
  `${numbers.format(count)} ${count === 1 ? one : many}`

const people = (count: number): string => counted(count, 'person', 'people')

/** More names are only counted. */
const namesShown = 3

const joinOr = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

const nameSome = (names: readonly string[], one: string, many: string): string => {
  // A number instead of a single name would not be shorter.
  if (names.length <= namesShown + 1) return joinOr(names)
  return joinOr([...names.slice(0, namesShown), counted(names.length - namesShown, `other ${one}`, `other ${many}`)])
}

/** `2, 3 or 4` */
const nameNumbers = (given: readonly number[], one: string, many: string): string =>
  nameSome([...new Set(given)].toSorted((a, b) => a - b).map(String), one, many)

const isAboutEnrollments = ({
  programIds = [],
  paymentStatuses = [],
  semesters = [],
  installmentsDue = [],
}: Audience): boolean => [programIds, paymentStatuses, semesters, installmentsDue].some((list) => list.length > 0)

/** Names the selected people. A rule on enrollments selects learners only, because only learners enroll. */
const nounOf = (audience: Audience): string => {
  const { roles = [] } = audience
  if (roles.length === 1) return roles[0] === 'faculty' ? 'Faculty' : 'Learners'
  return isAboutEnrollments(audience) ? 'Learners' : 'Learners and faculty'
}

const origin = ({ universityNames = [], semesters = [] }: Audience, { programNames }: SentenceFacts): string => {
  const programs = programNames.length > 0 ? ` of ${nameSome(programNames, 'program', 'programs')}` : ''
  const preposition = programs === '' ? 'of' : 'at'
  const names = nameSome(universityNames, 'university', 'universities')
  const universities = names === '' ? '' : ` ${preposition} ${names}`
  const inSemesters = nameNumbers(semesters, 'semester', 'semesters')
  return `${programs}${universities}${inSemesters === '' ? '' : ` in semester ${inSemesters}`}`
}

const contactsAmong = ({ contacts }: SentenceFacts): string =>
  `among ${counted(contacts, 'pasted contact', 'pasted contacts')}`

const relativeClauses = (audience: Audience, facts: SentenceFacts): string => {
  const { paymentStatuses = [], installmentsDue = [], unreadOf, contacts = [] } = audience
  const { remindedTitle } = facts
  const statuses = [...new Set(paymentStatuses)].map((status) => status.toLowerCase())
  const title = remindedTitle === undefined ? 'the notification' : `“${remindedTitle}”`
  const clauses = [
    ...(statuses.length > 0 ? [`whose payment is ${joinOr(statuses)}`] : []),
    ...(installmentsDue.length > 0
      ? [`whose installment ${nameNumbers(installmentsDue, 'installment', 'installments')} is due`]
      : []),
    ...(unreadOf === undefined ? [] : [`who have not read ${title}`]),
    // Not 'among' alone, which reads as if the pasted people were added.
    ...(contacts.length > 0 ? [`who are also ${contactsAmong(facts)}`] : []),
  ]
  return clauses.length === 0 ? '' : ` ${clauses.join(' and ')}`
}

const isEveryone = (audience: Audience): boolean => {
  const { everyone, unreadOf, universityNames = [], roles = [] } = audience
  const isNarrowed = isAboutEnrollments(audience) || universityNames.length + roles.length > 0
  return everyone === true && unreadOf === undefined && !isNarrowed
}

/** The part of the rule without `include` and `exclude`; empty if it has no condition. */
const selection = (audience: Audience, facts: SentenceFacts): string => {
  const { contacts = [], roles = [], unreadOf } = audience
  const among = contacts.length > 0 ? ` ${contactsAmong(facts)}` : ''
  if (isEveryone(audience)) return `Everyone${among}`
  const groups = origin(audience, facts)
  const hasGroups = groups !== '' || roles.length > 0 || isAboutEnrollments(audience) || unreadOf !== undefined
  if (!hasGroups) return among === '' ? '' : `People${among}`
  return nounOf(audience) + groups + relativeClauses(audience, facts)
}

const byHand = ({ added, removed }: SentenceFacts, rule: string): string => {
  const addition = added === 0 ? '' : `${people(added)} added by hand`
  const removal = removed === 0 ? '' : `, without ${numbers.format(removed)} removed by hand`
  if (rule === '') return `${addition === '' ? 'Nobody' : addition}${removal}`
  // A comma keeps the addition apart from what comes before.
  return `${rule}${addition === '' ? '' : `, and ${addition}`}${removal}`
}

/** Describes a rule and how many users it selects: `Learners of AI or Data Science whose payment is pending: 412 people` */
export const describeAudience = (audience: Audience, facts: SentenceFacts): string => {
  const rule = selection(audience, facts)
  const isByHandOnly = rule === '' && facts.removed === 0
  const subject = isByHandOnly && facts.added > 0 ? 'Chosen by hand' : byHand(facts, rule)
  return `${subject}: ${people(facts.count)}`
}
