/** Lower case without accents, so that 'jose' finds 'José'. */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** Whether `normalized`, a result of `normalizeForSearch`, contains every word of the query. */
export const matchesAllWords = (normalized: string, query: string): boolean =>
  normalizeForSearch(query)
    .split(/\s+/)
    .every((word) => normalized.includes(word))
