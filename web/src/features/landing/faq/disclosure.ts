import type { Category } from './content.ts'
import { isSearch, search } from './search.ts'

/** What is expanded: any number of categories, and at most one question. */
export type Disclosure = {
  readonly text: string
  readonly expanded: ReadonlySet<string>
  /** What was expanded before the search began. */
  readonly expandedBefore: ReadonlySet<string> | null
  readonly question: string | null
}

export const startOf = (categories: readonly Category[]): Disclosure => ({
  text: '',
  expanded: new Set(categories.slice(0, 1).map(({ name }) => name)),
  expandedBefore: null,
  question: null,
})

export const toggleCategory = (state: Disclosure, name: string): Disclosure => {
  const expanded = new Set(state.expanded)
  if (!expanded.delete(name)) expanded.add(name)
  return { ...state, expanded }
}

export const toggleQuestion = (state: Disclosure, question: string): Disclosure => ({
  ...state,
  question: state.question === question ? null : question,
})

/** A search expands all categories and opens the first answer found; clearing it restores what was expanded before. */
export const searchFor = (state: Disclosure, text: string, categories: readonly Category[]): Disclosure => {
  if (!isSearch(text)) {
    return { text, expanded: state.expandedBefore ?? state.expanded, expandedBefore: null, question: null }
  }
  return {
    text,
    expanded: new Set(categories.map(({ name }) => name)),
    expandedBefore: state.expandedBefore ?? state.expanded,
    question: search(categories, text)[0]?.questions[0]?.question ?? null,
  }
}
