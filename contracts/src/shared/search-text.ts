const accents = /\p{Mn}/gu
const isPlain = /^[\x20-\x7e\n]*$/

/** Ignores case, accents and repeated spaces. */
export const normalizeText = (text: string): string => {
  const plain = isPlain.test(text) ? text : text.normalize('NFKD').replaceAll(accents, '')
  return plain.toLowerCase().replaceAll(/ +/g, ' ').trim()
}

/** The words of a query, as `normalizeText` writes them. */
export const searchWords = (q: string): readonly string[] =>
  normalizeText(q)
    .split(' ')
    .filter((word) => word !== '')
