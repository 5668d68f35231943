/** Lower case without accents, so that 'jose' finds 'José'. */
export const plainText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** Whether every word of the query is found. `plain` has gone through `plainText` already, once a list. */
export const hasWords = (plain: string, query: string): boolean =>
  plainText(query)
    .split(/\s+/)
    .every((word) => plain.includes(word))
