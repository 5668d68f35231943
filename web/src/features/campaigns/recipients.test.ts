import { userIdSchema } from '@portal/contracts/shared/ids'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseRange,
  filterRecipients,
  indexRecipients,
  noneChosen,
  orderRecipients,
  chosenShare,
  toggle,
  toggleAll,
  type Recipient,
} from './recipients.ts'

const recipient = (
  n: number,
  fullName: string,
  email: string,
  role = 'student',
  isEmailVerified = true,
): Recipient => ({
  id: userIdSchema.parse(`01890000-0000-7000-8000-${String(n).padStart(12, '0')}`),
  fullName,
  email,
  role,
  isEmailVerified,
})
const asha = recipient(1, 'Asha Rao', 'asha.rao@example.com')
const jose = recipient(2, 'José Álvarez', 'alvarez@example.org')
const ravi = recipient(3, 'Ravi Rao', 'ravi@example.org', 'faculty')
const everyone = [asha, jose, ravi]
const found = (query: string) => filterRecipients(indexRecipients(everyone), query)

describe('searching recipients', () => {
  it('finds unverified addresses by the displayed note', () => {
    const unproved = recipient(4, 'Meera Sen', 'meera@example.org', 'student', false)
    expect(filterRecipients(indexRecipients([...everyone, unproved]), 'not verified')).toEqual([unproved])
  })

  it.each([
    ['', everyone],
    ['   ', everyone],
    ['RAO', [asha, ravi]],
    ['jose alv', [jose]],
    ['José', [jose]],
    ['example.org rao', [ravi]],
    ['faculty', [ravi]],
    ['nobody', []],
  ])('%j', (query, expected) => {
    expect(found(query)).toEqual(expected)
  })
})

describe('sorting recipients', () => {
  it.each([
    ['fullName', [asha, jose, ravi]],
    ['email', [jose, asha, ravi]],
    ['role', [ravi, asha, jose]],
  ] as const)('is by %s', (order, expected) => {
    expect(orderRecipients([asha, jose, ravi], order)).toEqual(expected)
  })
})

describe('choosing recipients', () => {
  it('toggles a recipient', () => {
    const chosen = toggle(noneChosen, asha.id)
    expect([...chosen]).toEqual([asha.id])
    expect(toggle(chosen, asha.id).size).toBe(0)
    expect(noneChosen.size).toBe(0)
  })

  it('knows whether none, some or all of the shown recipients are chosen', () => {
    const chosen = new Set([asha.id])
    expect(chosenShare(chosen, everyone)).toBe('some')
    expect(chosenShare(chosen, found('asha'))).toBe('all')
    expect(chosenShare(chosen, found('jose'))).toBe('none')
    expect(chosenShare(chosen, [])).toBe('none')
  })

  it('selects and deselects all shown recipients, but no hidden ones', () => {
    const jOnly = new Set([jose.id])
    const withRaos = toggleAll(jOnly, found('rao'))
    expect(withRaos).toEqual(new Set([jose.id, asha.id, ravi.id]))
    expect(toggleAll(withRaos, found('rao'))).toEqual(jOnly)
  })

  it('completes a partial selection before it deselects', () => {
    expect(toggleAll(new Set([asha.id]), everyone).size).toBe(3)
  })

  it('chooses a range in either direction', () => {
    expect(chooseRange(noneChosen, everyone, 2, 1)).toEqual(new Set([jose.id, ravi.id]))
  })

  it("never changes hidden recipients by 'select all'", () => {
    const people = Array.from({ length: 12 }, (_, n) => recipient(n, `Learner ${n}`, `learner-${n}@example.com`))
    fc.assert(
      fc.property(fc.subarray(people), fc.subarray(people), (chosenPeople, shown) => {
        const chosen = new Set(chosenPeople.map(({ id }) => id))
        const after = toggleAll(chosen, shown)
        const hidden = people.filter((person) => !shown.includes(person))
        expect(hidden.filter(({ id }) => after.has(id))).toEqual(hidden.filter(({ id }) => chosen.has(id)))
      }),
    )
  })
})
