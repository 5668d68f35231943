import type { Category, Question } from './content.ts'

/** A piece of a text, and whether it is what was searched for. */
export type Piece = { readonly text: string; readonly isHit: boolean }

const normalised = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase()

const holds = (text: string, sought: string) => text.toLowerCase().includes(sought)

const matches = ({ question, answer }: Question, sought: string) => holds(question, sought) || holds(answer, sought)

/**
 * The categories with what is left of them: every question that holds the text, in itself or its answer, and all of a category whose
 * name does. An empty search leaves everything.
 */
export const search = (categories: readonly Category[], text: string): readonly Category[] => {
  const sought = normalised(text)
  if (sought === '') return categories
  return categories.flatMap((category) => {
    const questions = holds(category.name, sought)
      ? category.questions
      : category.questions.filter((question) => matches(question, sought))
    return questions.length === 0 ? [] : [{ ...category, questions }]
  })
}

export const isSearch = (text: string): boolean => normalised(text) !== ''

/** The text cut at every hit, nothing lost: the pieces joined are the text again. */
export const piecesOf = (text: string, searched: string): readonly Piece[] => {
  const sought = normalised(searched)
  if (sought === '') return [{ text, isHit: false }]
  const lower = text.toLowerCase()
  const pieces: Piece[] = []
  let from = 0
  for (let at = lower.indexOf(sought); at !== -1; at = lower.indexOf(sought, from)) {
    if (at > from) pieces.push({ text: text.slice(from, at), isHit: false })
    from = at + sought.length
    pieces.push({ text: text.slice(at, from), isHit: true })
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isHit: false }] : pieces
}
