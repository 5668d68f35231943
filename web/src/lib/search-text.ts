import { normalizeText } from '@portal/contracts/shared/search-text'

/** Whether `normalized`, a result of `normalizeText`, contains every word of the query. */
export const matchesAllWords = (normalized: string, query: string): boolean =>
  normalizeText(query)
    .split(/\s+/)
    .every((word) => normalized.includes(word))
