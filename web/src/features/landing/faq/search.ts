import type { Category, Question } from './content.ts'

/** A part of a text, and whether it is a search hit. */
type TextPart = { readonly text: string; readonly isHit: boolean }

/**
 * Input that users type in other forms than the text has: percent, spaces, dashes, large numbers, '10pm'. Also characters that
 * a regular expression must escape.
 */
const flexibleInput = /\s*%|\s+|[-\u2010-\u2015]|\d+(?:,\d+)*\p{L}?|[\\^$.*+?()[\]{}|/]/gu

const patternFor = (typed: string): string => {
  if (typed.endsWith('%')) return '\\s*(?:%|percent)'
  if (/^\s/u.test(typed)) return '\\s+'
  if (/^\d/u.test(typed)) return [...typed.replaceAll(',', '')].join(',?').replace(/,\?(\p{L})$/u, '\\s*$1')
  return /^[-\u2010-\u2015]/u.test(typed) ? '[-\u2010-\u2015]' : `\\${typed}`
}

/** A pattern that matches the text in all its forms; null for an empty search. */
const patternOf = (text: string): RegExp | null => {
  const pattern = text.trim()
  return pattern === '' ? null : new RegExp(pattern.replaceAll(flexibleInput, patternFor), 'giu')
}

const contains = (text: string, pattern: RegExp) => text.search(pattern) !== -1

const matches = ({ question, answer }: Question, pattern: RegExp) =>
  contains(question, pattern) || contains(answer, pattern)

/**
 * The categories with their matching questions: those that contain the text in the question or the answer, and all questions of
 * a category whose name contains it. An empty search returns everything.
 */
export const search = (categories: readonly Category[], text: string): readonly Category[] => {
  const pattern = patternOf(text)
  if (!pattern) return categories
  return categories.flatMap((category) => {
    const questions = contains(category.name, pattern)
      ? category.questions
      : category.questions.filter((question) => matches(question, pattern))
    return questions.length === 0 ? [] : [{ ...category, questions }]
  })
}

export const isSearch = (text: string): boolean => patternOf(text) !== null

/** Splits the text at every hit. The parts joined are the text again. */
export const splitAtHits = (text: string, searched: string): readonly TextPart[] => {
  const pattern = patternOf(searched)
  if (!pattern) return [{ text, isHit: false }]
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: hit, index } of text.matchAll(pattern)) {
    if (index > from) parts.push({ text: text.slice(from, index), isHit: false })
    from = index + hit.length
    parts.push({ text: hit, isHit: true })
  }
  return from < text.length ? [...parts, { text: text.slice(from), isHit: false }] : parts
}

/** The search text and what is expanded: any number of categories, and at most one question. */
type FaqState = {
  readonly text: string
  readonly expanded: ReadonlySet<string>
  /** The expanded categories before the search began. */
  readonly expandedBeforeSearch: ReadonlySet<string> | null
  readonly question: string | null
}

export const initialState = (categories: readonly Category[]): FaqState => ({
  text: '',
  expanded: new Set(categories.slice(0, 1).map(({ name }) => name)),
  expandedBeforeSearch: null,
  question: null,
})

export const toggleCategory = (state: FaqState, name: string): FaqState => {
  const expanded = new Set(state.expanded)
  if (!expanded.delete(name)) expanded.add(name)
  return { ...state, expanded }
}

export const toggleQuestion = (state: FaqState, question: string): FaqState => ({
  ...state,
  question: state.question === question ? null : question,
})

/** A search expands all categories and opens the first answer found. Clearing it restores the previous state. */
export const searchFor = (state: FaqState, text: string, categories: readonly Category[]): FaqState => {
  if (!isSearch(text)) {
    return { text, expanded: state.expandedBeforeSearch ?? state.expanded, expandedBeforeSearch: null, question: null }
  }
  return {
    text,
    expanded: new Set(categories.map(({ name }) => name)),
    expandedBeforeSearch: state.expandedBeforeSearch ?? state.expanded,
    question: search(categories, text)[0]?.questions[0]?.question ?? null,
  }
}
