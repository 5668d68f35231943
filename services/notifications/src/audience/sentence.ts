import type { Audience } from '@portal/contracts/notifications/audience'

export type SentenceFacts = {
  readonly programNames: readonly string[]
  /** Of the notification in `unreadOf`; undefined if it is unavailable. */
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

const counted = (count: number, one: string, many: string): string =>
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

/** Only learners enroll. */
const nounOf = ({ roles = [], programIds = [], paymentStatuses = [] }: Audience): string => {
  if (roles.length === 1) return roles[0] === 'faculty' ? 'Faculty' : 'Learners'
  return programIds.length + paymentStatuses.length > 0 ? 'Learners' : 'Learners and faculty'
}

const origin = ({ universityNames = [] }: Audience, { programNames }: SentenceFacts): string => {
  const programs = programNames.length > 0 ? ` of ${nameSome(programNames, 'program', 'programs')}` : ''
  if (universityNames.length === 0) return programs
  const preposition = programs === '' ? 'of' : 'at'
  return `${programs} ${preposition} ${nameSome(universityNames, 'university', 'universities')}`
}

const relativeClauses = ({ paymentStatuses = [], unreadOf }: Audience, { remindedTitle }: SentenceFacts): string => {
  const statuses = [...new Set(paymentStatuses)].map((status) => status.toLowerCase())
  const title = remindedTitle === undefined ? 'the notification' : `“${remindedTitle}”`
  const clauses = [
    ...(statuses.length > 0 ? [`whose payment is ${joinOr(statuses)}`] : []),
    ...(unreadOf === undefined ? [] : [`who have not read ${title}`]),
  ]
  return clauses.length === 0 ? '' : ` ${clauses.join(' and ')}`
}

const isEveryone = (audience: Audience): boolean => {
  const { everyone, unreadOf, programIds = [], paymentStatuses = [], universityNames = [], roles = [] } = audience
  const lists = [programIds, paymentStatuses, universityNames, roles]
  return everyone === true && unreadOf === undefined && lists.every((list) => list.length === 0)
}

/** The part of the rule without `include` and `exclude`; empty if it has no condition. */
const selection = (audience: Audience, facts: SentenceFacts): string => {
  const { contacts = [] } = audience
  const among = contacts.length > 0 ? `among ${counted(facts.contacts, 'pasted contact', 'pasted contacts')}` : ''
  if (isEveryone(audience)) return among === '' ? 'Everyone' : `Everyone ${among}`
  const details = origin(audience, facts) + relativeClauses(audience, facts)
  const hasNoun = details !== '' || (audience.roles ?? []).length > 0
  if (!hasNoun) return among === '' ? '' : `People ${among}`
  return `${nounOf(audience)}${details}${among === '' ? '' : `${details === '' ? ' ' : ', '}${among}`}`
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
