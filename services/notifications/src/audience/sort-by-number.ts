import type { NamedPerson } from './people-orders.ts'
import type { RankedPerson } from './indexed-person.ts'

const digits = 2 ** 16

/** Moves places to the order of one digit of their numbers. Equal ones keep their order. */
const sortByDigit = (places: Uint32Array, digitAt: (place: number) => number): Uint32Array => {
  /** Where the next place with a digit goes. */
  const next = new Uint32Array(digits + 1)
  for (const place of places) {
    const behind = digitAt(place) + 1
    next[behind] = (next[behind] ?? 0) + 1
  }
  for (let digit = 1; digit < digits; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0)
  const moved = new Uint32Array(places.length)
  for (const place of places) {
    const digit = digitAt(place)
    const to = next[digit] ?? 0
    moved[to] = place
    next[digit] = to + 1
  }
  return moved
}

/**
 * Sorts people by a whole number, and by name where it is equal. A radix sort of their places in the order of names takes a fraction of
 * the time of a sort that compares people.
 */
export const sortByNumber = (
  people: readonly RankedPerson[],
  /** That of each person. */
  numbers: readonly number[],
  byName: readonly NamedPerson[],
): readonly RankedPerson[] => {
  const numberAt = new Float64Array(byName.length).fill(Number.NaN)
  let [least, most] = [Infinity, -Infinity]
  for (let index = 0; index < people.length; index++) {
    const [person, number] = [people[index], numbers[index] ?? 0]
    if (person === undefined || byName[person.rank] !== person) continue
    numberAt[person.rank] = number
    if (number < least) least = number
    if (number > most) most = number
  }
  const found = new Uint32Array(people.length)
  let count = 0
  for (let place = 0; place < numberAt.length; place++)
    if (!Number.isNaN(numberAt[place] ?? Number.NaN)) found[count++] = place
  let places: Uint32Array = found.subarray(0, count)
  for (let unit = 1; unit <= most - least; unit *= digits)
    places = sortByDigit(places, (place) => Math.floor(((numberAt[place] ?? 0) - least) / unit) % digits)
  return Array.from(places, (place) => byName[place]).filter((person) => person !== undefined)
}
