import type { RankedPerson } from './indexed-person.ts'
import type { NamedPerson } from './people-orders.ts'

const digitBits = 16
const digitMask = 2 ** digitBits - 1
/** Half of a number, with two digits. Digits of whole numbers above 32 bits would need slow divisions. */
const halfRange = 2 ** 32

/** Moves places to the order of one digit of their numbers. Equal ones keep their order. */
const sortByDigit = (places: Uint32Array, halfAt: Uint32Array, shift: number): Uint32Array => {
  /** Where the next place with a digit goes. */
  const next = new Uint32Array(digitMask + 2)
  for (let index = 0; index < places.length; index++) {
    const digit = ((halfAt[places[index] ?? 0] ?? 0) >>> shift) & digitMask
    next[digit + 1] = (next[digit + 1] ?? 0) + 1
  }
  for (let digit = 1; digit <= digitMask; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0)
  const moved = new Uint32Array(places.length)
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0
    const digit = ((halfAt[place] ?? 0) >>> shift) & digitMask
    const to = next[digit] ?? 0
    moved[to] = place
    next[digit] = to + 1
  }
  return moved
}

/** The places of the people in the order of names, in ascending order, and the halves of the number of each place. */
const placesOf = (people: readonly RankedPerson[], numbers: readonly number[], byName: readonly NamedPerson[]) => {
  const [least, most] = [numbers.reduce((a, b) => Math.min(a, b), 0), numbers.reduce((a, b) => Math.max(a, b), 0)]
  const [lowAt, highAt] = [new Uint32Array(byName.length), new Uint32Array(byName.length)]
  const isListed = new Uint8Array(byName.length)
  for (let index = 0; index < people.length; index++) {
    const person = people[index]
    if (person === undefined || byName[person.rank] !== person) continue
    const number = (numbers[index] ?? 0) - least
    lowAt[person.rank] = number
    highAt[person.rank] = number / halfRange
    isListed[person.rank] = 1
  }
  const places = new Uint32Array(people.length)
  let count = 0
  for (let place = 0; place < isListed.length; place++) if (isListed[place] === 1) places[count++] = place
  return { places: places.subarray(0, count), lowAt, highAt, range: most - least }
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
  const { places: listed, lowAt, highAt, range } = placesOf(people, numbers, byName)
  let places: Uint32Array = listed
  let unit = 1
  for (const half of [lowAt, highAt]) {
    for (const shift of [0, digitBits]) {
      if (unit <= range) places = sortByDigit(places, half, shift)
      unit *= digitMask + 1
    }
  }
  const sorted: RankedPerson[] = []
  for (let index = 0; index < places.length; index++) {
    const person = byName[places[index] ?? 0]
    if (person !== undefined) sorted.push(person)
  }
  return sorted
}
