import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categories } from './content.ts'
import { isSearch, piecesOf, search } from './search.ts'

const namesOf = (text: string) => search(categories, text).map(({ name }) => name)

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

  it('finds only what holds the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,4}$/), (sought) => {
        for (const { name, questions } of search(categories, sought))
          for (const { question, answer } of questions)
            expect(`${name} ${question} ${answer}`.toLowerCase()).toContain(sought)
      }),
    )
  })
})

describe('the pieces of a text', () => {
  const text = fc.array(fc.constantFrom('a', 'B', 'b', ' ', 'é', '₹')).map((characters) => characters.join(''))

  it('are the text again, and every hit is what was searched for', () => {
    fc.assert(
      fc.property(text, text, (whole, sought) => {
        const pieces = piecesOf(whole, sought)
        expect(pieces.map((piece) => piece.text).join('')).toBe(whole)
        for (const piece of pieces.filter(({ isHit }) => isHit))
          expect(piece.text.toLowerCase()).toBe(sought.trim().replace(/\s+/g, ' ').toLowerCase())
      }),
    )
  })

  it('mark each occurrence', () => {
    expect(piecesOf('Semester by semester', 'semester')).toEqual([
      { text: 'Semester', isHit: true },
      { text: ' by ', isHit: false },
      { text: 'semester', isHit: true },
    ])
  })
})
