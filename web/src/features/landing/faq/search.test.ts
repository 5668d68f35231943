import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categories } from './content.ts'
import { isSearch, splitAtHits, search, searchFor, initialState, toggleCategory, toggleQuestion } from './search.ts'

const namesOf = (text: string) => search(categories, text).map(({ name }) => name)

/** Every run of one to four words, as a keyboard has them: its own space, hyphen and digits. */
const keyed = (text: string): string[] => {
  const words = text
    .replaceAll('\u2013', '-')
    .replace(/(\d),(?=\d)/g, '$1')
    .split(/\s+/)
  return words.flatMap((_, from) => [1, 2, 3, 4].map((length) => words.slice(from, from + length).join(' ')))
}

describe('a search of the questions', () => {
  it('finds in questions and in answers, whatever the case', () => {
    expect(namesOf('HOSTEL')).toEqual(['Fees', 'Campus and career'])
    expect(search(categories, 'what does it cost')[0]?.questions).toHaveLength(1)
  })

  it('finds all of a category by its name', () => {
    const fees = categories.find(({ name }) => name === 'Fees')
    expect(search(categories, 'fees').find(({ name }) => name === 'Fees')).toEqual(fees)
  })

  it('leaves everything when there is nothing to search for, and nothing when nothing fits', () => {
    expect(search(categories, '   ')).toBe(categories)
    expect(isSearch('   ')).toBe(false)
    expect(search(categories, 'zebra')).toEqual([])
  })

  it.each(categories.flatMap(({ questions }) => questions))('finds what the page itself says: $question', (asked) => {
    const isFound = (typed: string) => search(categories, typed).some(({ questions }) => questions.includes(asked))
    for (const text of [asked.question, asked.answer]) {
      expect(keyed(text).filter((typed) => !isFound(typed))).toEqual([])
      expect(keyed(text).filter((typed) => !splitAtHits(text, typed).some(({ isHit }) => isHit))).toEqual([])
    }
  })

  it.each([
    ['7-10', 'When are the classes?'],
    ['10pm', 'When are the classes?'],
    ['30%', 'What do I need to clear a module?'],
    ['30 %', 'What do I need to clear a module?'],
    ['45000', 'What does it cost?'],
    ['45,0', 'What does it cost?'],
    ['₹1000', 'What does the campus immersion cost?'],
    ['(7+8+3)', 'How long does it take, and how many credits is it?'],
    ['.', 'Which Minors can I choose from?'],
    ['[', null],
  ])('takes %s as it is meant', (typed, expected) => {
    expect(search(categories, typed)[0]?.questions[0]?.question ?? null).toBe(expected)
  })

  it('finds only what holds the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,4}$/), (sought) => {
        for (const { name, questions } of search(categories, sought))
          for (const { question, answer } of questions)
            expect(`${name} ${question} ${answer}`.toLowerCase().replace(/[\s,]/g, '')).toContain(sought)
      }),
    )
  })
})

describe('the pieces of a text', () => {
  const text = fc.array(fc.constantFrom('a', 'B', 'b', ' ', 'é', '₹')).map((characters) => characters.join(''))

  const plain = (some: string) => some.trim().replace(/\s+/g, ' ').toLowerCase()

  it('are the text again, and every hit is what was searched for', () => {
    fc.assert(
      fc.property(text, text, (whole, sought) => {
        const pieces = splitAtHits(whole, sought)
        expect(pieces.map((piece) => piece.text).join('')).toBe(whole)
        for (const piece of pieces.filter(({ isHit }) => isHit)) expect(plain(piece.text)).toBe(plain(sought))
      }),
    )
  })

  it('mark each occurrence', () => {
    expect(splitAtHits('Semester by semester', 'semester')).toEqual([
      { text: 'Semester', isHit: true },
      { text: ' by ', isHit: false },
      { text: 'semester', isHit: true },
    ])
  })
})

const start = initialState(categories)
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
