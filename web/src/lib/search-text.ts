/** Lower case without accents, so that 'jose' finds 'José'. */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** Whether every word of the query is found. `plain` has gone through `plainText` already, once a list. */
export const matchesAllWords = (plain: string, query: string): boolean =>
  normalizeForSearch(query)
    .split(/\s+/)
    .every((word) => plain.includes(word))
