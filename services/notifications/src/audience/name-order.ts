import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { PersonRecord } from './bucket-people.ts'
import type { IndexedProfile } from './indexed-person.ts'

export type NamedPerson = PersonRecord & { readonly profile: IndexedProfile }

export const hasName = (record: PersonRecord): record is NamedPerson => record.profile !== undefined

/** Sorting this many takes about two milliseconds. */
const sortedAtOnce = 1_000

/** Compared as plain text: a locale-aware order would take a hundred times as long. */
const compareNames = (a: NamedPerson, b: NamedPerson): number => {
  const [left, right] = [a.profile.searchKey, b.profile.searchKey]
  if (left === right) return a.userId < b.userId ? -1 : 1
  return left < right ? -1 : 1
}

/** The first index in `sorted` behind `person`, from `from` on. */
const indexBehind = (sorted: readonly NamedPerson[], person: NamedPerson, from: number): number => {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = sorted[middle]
    if (at !== undefined && compareNames(at, person) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Merges by binary search, because `added` is much shorter than `sorted`. */
const merge = (sorted: readonly NamedPerson[], added: readonly NamedPerson[]): readonly NamedPerson[] => {
  const merged: NamedPerson[] = []
  let copied = 0
  const copyTo = (end: number): void => {
    for (; copied < end; copied++) {
      const person = sorted[copied]
      if (person !== undefined) merged.push(person)
    }
  }
  for (const person of added) {
    copyTo(indexBehind(sorted, person, copied))
    merged.push(person)
  }
  copyTo(sorted.length)
  return merged
}

/** Inserts people into a list that is sorted by name. Yields to the event loop between parts. */
export const insertByName = async (
  sorted: readonly NamedPerson[],
  added: readonly NamedPerson[],
): Promise<readonly NamedPerson[]> => {
  let merged = sorted
  for (let from = 0; from < added.length; from += sortedAtOnce) {
    await yieldToEventLoop()
    merged = merge(merged, added.slice(from, from + sortedAtOnce).toSorted(compareNames))
  }
  return merged
}
