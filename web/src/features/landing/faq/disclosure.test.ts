import { describe, expect, it } from 'vitest'
import { categories } from './content.ts'
import { searchFor, startOf, toggleCategory, toggleQuestion } from './disclosure.ts'

const start = startOf(categories)
const all = new Set(categories.map(({ name }) => name))

describe('what is unfolded', () => {
  it('is the first category at the start, and any that is asked for', () => {
    expect(start.expanded).toEqual(new Set(['The program']))
    expect(toggleCategory(start, 'Fees').expanded).toEqual(new Set(['The program', 'Fees']))
    expect(toggleCategory(start, 'The program').expanded).toEqual(new Set())
  })

  it('is one question at most', () => {
    const first = toggleQuestion(start, 'What does it cost?')
    expect(toggleQuestion(first, 'When are the classes?').question).toBe('When are the classes?')
    expect(toggleQuestion(first, 'What does it cost?').question).toBeNull()
  })

  it('[H-34] is every category during a search, and what it was before when the search ends', () => {
    const before = toggleCategory(start, 'Fees')
    const first = searchFor(before, 'h', categories)
    const second = searchFor(first, 'hostel', categories)
    expect(second.expanded).toEqual(all)
    expect(second.question).toBe('What does the campus immersion cost?')
    const ended = searchFor(second, '', categories)
    expect(ended.expanded).toEqual(before.expanded)
    expect(ended.question).toBeNull()
  })

  it('can be folded during a search, too', () => {
    expect(toggleCategory(searchFor(start, 'hostel', categories), 'Fees').expanded.has('Fees')).toBe(false)
  })
})
