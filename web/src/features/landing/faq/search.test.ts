import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categories } from './content.ts'
import { isSearch, splitAtHits, search, searchFor, initialState, toggleCategory, toggleQuestion } from './search.ts'

const namesOf = (text: string) => search(categories, text).map(({ name }) => name)

/** Every sequence of one to four words as typed on a keyboard, with plain spaces, hyphens and digits. */
const keyed = (text: string): string[] => {
  const words = text
    .replaceAll('\u2013', '-')
    .replace(/(\d),(?=\d)/g, '$1')
    .split(/\s+/)
  return words.flatMap((_, from) => [1, 2, 3, 4].map((length) => words.slice(from, from + length).join(' ')))
}

describe('the search of the questions', () => {
  it('searches questions and answers, ignoring case', () => {
    expect(namesOf('HOSTEL')).toEqual(['Fees', 'Campus and career'])
    expect(search(categories, 'what does it cost')[0]?.questions).toHaveLength(1)
  })

  it('finds all questions of a category by its name', () => {
    const fees = categories.find(({ name }) => name === 'Fees')
    expect(search(categories, 'fees').find(({ name }) => name === 'Fees')).toEqual(fees)
  })

  it('returns everything for an empty search, and nothing without a match', () => {
    expect(search(categories, '   ')).toBe(categories)
    expect(isSearch('   ')).toBe(false)
    expect(search(categories, 'zebra')).toEqual([])
  })

  it('finds the texts of the page itself', () => {
    const all = categories.flatMap(({ questions }) => questions)
    const lost = all.flatMap((asked) => {
      const isFound = (typed: string) => search(categories, typed).some(({ questions }) => questions.includes(asked))
      return [asked.question, asked.answer].flatMap((text) =>
        keyed(text).filter((typed) => !isFound(typed) || !splitAtHits(text, typed).some(({ isHit }) => isHit)),
      )
    })
    expect(lost).toEqual([])
  })

  it('understands times, amounts and signs', () => {
    const expected = {
      '7-10': 'When are the classes?',
      '10pm': 'When are the classes?',
      '30%': 'What do I need to clear a module?',
      '30 %': 'What do I need to clear a module?',
      '45000': 'What does it cost?',
      '45,0': 'What does it cost?',
      '₹1000': 'What does the campus immersion cost?',
      '(7+8+3)': 'How long does it take, and how many credits do I earn?',
      '.': 'Which Minors can I choose from?',
      '[': undefined,
    }
    const found = Object.keys(expected).map((typed) => [typed, search(categories, typed)[0]?.questions[0]?.question])
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  it('finds only questions that contain the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,4}$/), (sought) => {
        for (const { name, questions } of search(categories, sought))
          for (const { question, answer } of questions)
            expect(`${name} ${question} ${answer}`.toLowerCase().replace(/[\s,]/g, '')).toContain(sought)
      }),
    )
  })
})

describe('the parts of a text', () => {
  const text = fc.array(fc.constantFrom('a', 'B', 'b', ' ', 'é', '₹')).map((characters) => characters.join(''))

  const plain = (some: string) => some.trim().replace(/\s+/g, ' ').toLowerCase()

  it('join to the text again, and every hit matches the search', () => {
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

describe('the expanded state', () => {
  it('starts with the first category, and toggles any', () => {
    expect(start.expanded).toEqual(new Set(['The program']))
    expect(toggleCategory(start, 'Fees').expanded).toEqual(new Set(['The program', 'Fees']))
    expect(toggleCategory(start, 'The program').expanded).toEqual(new Set())
  })

  it('has at most one open question', () => {
    const first = toggleQuestion(start, 'What does it cost?')
    expect(toggleQuestion(first, 'When are the classes?').question).toBe('When are the classes?')
    expect(toggleQuestion(first, 'What does it cost?').question).toBeNull()
  })

  it('[H-34] contains every category during a search, and is restored afterwards', () => {
    const before = toggleCategory(start, 'Fees')
    const first = searchFor(before, 'h', categories)
    const second = searchFor(first, 'hostel', categories)
    expect(second.expanded).toEqual(all)
    expect(second.question).toBe('What does the campus immersion cost?')
    const ended = searchFor(second, '', categories)
    expect(ended.expanded).toEqual(before.expanded)
    expect(ended.question).toBeNull()
  })

  it('can be changed during a search', () => {
    expect(toggleCategory(searchFor(start, 'hostel', categories), 'Fees').expanded.has('Fees')).toBe(false)
  })
})
