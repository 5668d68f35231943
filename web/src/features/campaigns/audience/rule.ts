import { selectsSomeone, type Audience } from '@portal/contracts/notifications/audience'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/** E-mail addresses and student codes from a list. */
export type ContactList = {
  /** Where they come from, for display: 'the pasted list' or the name of a file. */
  readonly source: string
  readonly contacts: readonly string[]
}

type Kinds = Required<
  Pick<Audience, 'programIds' | 'paymentStatuses' | 'semesters' | 'installmentsDue' | 'universityNames' | 'roles'>
>

/** The recipients as the form edits them: conditions, and people who were added or removed by hand. */
export type Rule = { readonly [Kind in keyof Kinds]: Readonly<NonNullable<Kinds[Kind]>> } & {
  readonly everyone: boolean
  readonly contactList: ContactList | undefined
  readonly unreadOf: { readonly id: NotificationId; readonly title: string } | undefined
  readonly include: ReadonlySet<UserId>
  readonly exclude: ReadonlySet<UserId>
}

export const emptyRule: Rule = {
  everyone: false,
  programIds: [],
  paymentStatuses: [],
  semesters: [],
  installmentsDue: [],
  universityNames: [],
  roles: [],
  contactList: undefined,
  unreadOf: undefined,
  include: new Set(),
  exclude: new Set(),
}

const some = <Item>(items: Iterable<Item>): Item[] | undefined => {
  const list = [...items]
  return list.length > 0 ? list : undefined
}

type Conditions = Omit<Rule, 'include' | 'exclude'>

/** The rule without the people who were chosen by hand. Absent kinds do not restrict. */
export const conditionsOf = (rule: Conditions): Audience => ({
  everyone: rule.everyone || undefined,
  programIds: some(rule.programIds),
  paymentStatuses: some(rule.paymentStatuses),
  semesters: some(rule.semesters),
  installmentsDue: some(rule.installmentsDue),
  universityNames: some(rule.universityNames),
  roles: some(rule.roles),
  contacts: rule.contactList && [...rule.contactList.contacts],
  unreadOf: rule.unreadOf?.id,
})

export const audienceOf = (rule: Rule): Audience => ({
  ...conditionsOf(rule),
  include: some(rule.include),
  exclude: some(rule.exclude),
})

export const hasConditions = (rule: Rule): boolean => selectsSomeone(conditionsOf(rule))

export const isEmptyRule = (rule: Rule): boolean => !selectsSomeone(audienceOf(rule))

/** Without conditions there is no one to remove. */
const withoutNeedlessExclusions = (rule: Rule): Rule =>
  rule.exclude.size === 0 || hasConditions(rule) ? rule : { ...rule, exclude: emptyRule.exclude }

/** 'Everyone' replaces all other conditions, because they would narrow it. */
export const withEveryone = (rule: Rule, everyone: boolean): Rule =>
  everyone
    ? { ...emptyRule, everyone, include: rule.include, exclude: rule.exclude }
    : withoutNeedlessExclusions({ ...rule, everyone })

/** Changes conditions. Any other condition replaces 'Everyone'. */
export const withCondition = (rule: Rule, change: Partial<Omit<Conditions, 'everyone'>>): Rule =>
  withoutNeedlessExclusions({ ...rule, everyone: false, ...change })

/** A user, and whether the conditions select them. Undefined if that is unknown. */
type Candidate = { readonly userId: UserId; readonly matches: boolean | undefined }

export const isTicked = ({ include, exclude }: Rule, { userId, matches }: Candidate): boolean =>
  include.has(userId) || (matches === true && !exclude.has(userId))

/** Adds users to the rule or removes them from it. */
export const setTicked = (rule: Rule, candidates: readonly Candidate[], ticked: boolean): Rule => {
  const include = new Set(rule.include)
  const exclude = new Set(rule.exclude)
  const canExclude = hasConditions(rule)
  for (const { userId, matches } of candidates) {
    include.delete(userId)
    exclude.delete(userId)
    if (ticked && matches !== true) include.add(userId)
    if (!ticked && matches !== false && canExclude) exclude.add(userId)
  }
  return { ...rule, include, exclude }
}
