import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { PersonRecord } from './bucket-people.ts'
import type { IndexedProfile, RankedPerson, Ranks } from './indexed-person.ts'

export type NamedPerson = PersonRecord & { readonly profile: IndexedProfile }

export const hasName = (record: PersonRecord): record is NamedPerson => record.profile !== undefined

/** Sorting this many takes about two milliseconds. */
const sortedAtOnce = 1_000

type Compare = (a: NamedPerson, b: NamedPerson) => number

/** Texts are compared as plain text: a locale-aware order would take a hundred times as long. */
const comparedBy =
  <Key extends string | number>(keyOf: (person: NamedPerson) => Key): Compare =>
  (a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    if (left === right) return a.userId < b.userId ? -1 : 1
    return left < right ? -1 : 1
  }

type Order = { readonly compare: Compare; readonly rank: keyof Ranks }

/** The orders that the index keeps. */
const orders = {
  name: { compare: comparedBy(({ profile }) => profile.searchKey), rank: 'rank' },
  email: { compare: comparedBy(({ profile }) => profile.emailKey), rank: 'emailRank' },
  registered: { compare: comparedBy(({ registeredAtMs }) => registeredAtMs), rank: 'registrationRank' },
} as const satisfies Readonly<Record<string, Order>>
export type OrderName = keyof typeof orders

/** A list of all people in each order. */
export type SortedPeople = Readonly<Record<OrderName, readonly NamedPerson[]>>
export const noPeople: SortedPeople = { name: [], email: [], registered: [] }

/** The first index in `sorted` behind `person`, from `from` on. */
const indexBehind = (
  sorted: readonly NamedPerson[],
  person: NamedPerson,
  { from, compare }: { readonly from: number; readonly compare: Compare },
): number => {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = sorted[middle]
    if (at !== undefined && compare(at, person) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Merges by binary search, because `added` is much shorter than `sorted`. */
const merge = (
  sorted: readonly NamedPerson[],
  added: readonly NamedPerson[],
  compare: Compare,
): readonly NamedPerson[] => {
  const merged: NamedPerson[] = []
  let copied = 0
  const copyTo = (end: number): void => {
    for (; copied < end; copied++) {
      const person = sorted[copied]
      if (person !== undefined) merged.push(person)
    }
  }
  for (const person of added) {
    copyTo(indexBehind(sorted, person, { from: copied, compare }))
    merged.push(person)
  }
  copyTo(sorted.length)
  return merged
}

/** Inserts people into a list that is sorted in this order. Yields to the event loop between parts. */
const insertIn = async (
  order: OrderName,
  sorted: readonly NamedPerson[],
  added: readonly NamedPerson[],
): Promise<readonly NamedPerson[]> => {
  const { compare } = orders[order]
  let merged = sorted
  for (let from = 0; from < added.length; from += sortedAtOnce) {
    await yieldToEventLoop()
    merged = merge(merged, added.slice(from, from + sortedAtOnce).toSorted(compare), compare)
  }
  return merged
}

/** Moves people to their current places. `current` are those of `changed` who are still to be listed. */
export const sortAgain = async (
  sorted: SortedPeople,
  changed: ReadonlySet<PersonRecord>,
  current: readonly NamedPerson[],
): Promise<SortedPeople> => {
  const moved = (order: OrderName) =>
    insertIn(
      order,
      sorted[order].filter((person) => !changed.has(person)),
      current,
    )
  return { name: await moved('name'), email: await moved('email'), registered: await moved('registered') }
}

/** Tells all people their places. */
export const rankAll = ({ name, email, registered }: SortedPeople): void => {
  for (const [rank, person] of name.entries()) person.rank = rank
  for (const [rank, person] of email.entries()) person.emailRank = rank
  for (const [rank, person] of registered.entries()) person.registrationRank = rank
}

/**
 * Sorts people within each group, one group after the other. It goes through the places, because looking at names in their order takes
 * a cache miss each.
 */
export const sortByRank = (
  order: OrderName,
  groups: readonly (readonly RankedPerson[])[],
  sorted: SortedPeople,
): readonly RankedPerson[] => {
  const [list, { rank }] = [sorted[order], orders[order]]
  /** By place: the number of the group, from 1. */
  const groupAt = new Uint32Array(list.length)
  for (const [n, group] of groups.entries())
    for (const person of group) if (list[person[rank]] === person) groupAt[person[rank]] = n + 1
  const inOrder = groups.map((): RankedPerson[] => [])
  for (let place = 0; place < list.length; place++) {
    const group = groupAt[place] ?? 0
    // Looking up a group -1 would take longer than all else.
    const person = group === 0 ? undefined : list[place]
    if (person !== undefined) inOrder[group - 1]?.push(person)
  }
  const [first = []] = inOrder
  return inOrder.length > 1 ? inOrder.flat() : first
}

/** Few keys occur, so this takes a fraction of the time of a sort. */
export const groupedBy = <Key extends string | number>(
  people: readonly RankedPerson[],
  keyOf: (person: RankedPerson) => Key,
): readonly (readonly RankedPerson[])[] =>
  [...Map.groupBy(people, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
