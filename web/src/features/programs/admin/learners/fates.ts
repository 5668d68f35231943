import {
  type learnerChanges,
  learnerChangeWords,
  type LearnerFate,
  type LearnerRow,
} from '@portal/contracts/catalog/learners'
import { groupedAsInIndia } from '../../../../lib/number-format.ts'
import { formatPaise } from '../../../../ui/rupees.ts'

/** A preview says what would happen. */
export type Tense = 'preview' | 'done'

const refusals: Readonly<Record<Exclude<LearnerFate, ChangeFate>, string>> = {
  'already-paid': 'already paid',
  'already-enrolled': 'already enrolled',
  'already-invited': 'invited already',
  'same-semester': 'already in this semester',
  'nothing-paid': 'without a payment',
  'nothing-due': 'with nothing to pay',
  'amount-differs': 'with another amount',
  'other-program': 'in another program',
  'not-enrolled': 'not enrolled',
  unknown: 'unknown',
  repeated: 'repeated',
  'not-a-learner': 'not a learner',
  deactivated: 'deactivated',
  'too-many-programs': 'in too many programs',
}
type ChangeFate = (typeof learnerChanges)[number]

export const isChange = (fate: LearnerFate): fate is ChangeFate => fate in learnerChangeWords

const wordOf = (fate: LearnerFate, tense: Tense): string => {
  if (!isChange(fate)) return refusals[fate]
  return tense === 'preview' ? `will be ${learnerChangeWords[fate]}` : learnerChangeWords[fate]
}

/** '2 will be confirmed, 1 already paid', changes first. */
export const countsText = (rows: readonly { readonly fate: LearnerFate }[], tense: Tense): string => {
  const counts = new Map<LearnerFate, number>()
  for (const { fate } of rows) counts.set(fate, (counts.get(fate) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => Number(isChange(b)) - Number(isChange(a)))
    .map(([fate, count]) => `${groupedAsInIndia(count)} ${wordOf(fate, tense)}`)
    .join(', ')
}

/** The same without what was changed: 'undefined' if nothing was refused. */
export const refusedText = (rows: readonly { readonly fate: LearnerFate }[]): string | undefined =>
  countsText(
    rows.filter(({ fate }) => !isChange(fate)),
    'done',
  ) || undefined

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What becomes of one row, in plain words. */
export const fateText = ({ fate, contact, duePaise }: LearnerRow, tense: Tense): string => {
  switch (fate) {
    case 'amount-differs':
      return duePaise === undefined ? 'The amount differs from the installment' : `Owes ${formatPaise(duePaise)}`
    case 'unknown':
      return contact === undefined || contact.includes('@') ? 'No account has this address' : 'No account has this code'
    case 'other-program':
      return 'Enrolled in another program'
    case 'repeated':
      return 'Repeated: an earlier row or payment says the same'
    case 'deactivated':
      return 'The account is deactivated'
    case 'nothing-paid':
      return 'No payment is confirmed'
    case 'nothing-due':
      return 'The program is free'
    case 'too-many-programs':
      return 'Is in too many programs'
    default:
      return capitalized(wordOf(fate, tense))
  }
}
