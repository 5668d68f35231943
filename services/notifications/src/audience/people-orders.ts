import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { PersonRecord } from './bucket-people.ts'
import type { IndexedProfile } from './indexed-person.ts'

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

/** The orders that the index keeps. */
const orders = {
  name: comparedBy(({ profile }) => profile.searchKey),
  email: comparedBy(({ profile }) => profile.emailKey),
  registered: comparedBy(({ registeredAtMs }) => registeredAtMs),
} as const
export type OrderName = keyof typeof orders

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
export const insertIn = async (
  order: OrderName,
  sorted: readonly NamedPerson[],
  added: readonly NamedPerson[],
): Promise<readonly NamedPerson[]> => {
  const compare = orders[order]
  let merged = sorted
  for (let from = 0; from < added.length; from += sortedAtOnce) {
    await yieldToEventLoop()
    merged = merge(merged, added.slice(from, from + sortedAtOnce).toSorted(compare), compare)
  }
  return merged
}
