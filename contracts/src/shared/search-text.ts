/**
 * Accents, among them the nukta of Indian scripts, which many people leave out, and the joiners, which change no letter. The other
 * marks of those scripts are vowels and endings.
 */
const accents = /[\p{Join_Control}\u093C\u09BC\u0A3C\u0ABC\u0B3C\u0CBC]|(?![\u0900-\u0DFF])\p{Mn}/gu
/** Letters that are also written as a letter with a virama and a joiner. */
const endings: Readonly<Record<string, string>> = { ൺ: 'ണ്', ൻ: 'ന്', ർ: 'ര്', ൽ: 'ല്', ൾ: 'ള്', ൿ: 'ക്', ৎ: 'ত্' }
const isPlain = /^[\x20-\x7e\n]*$/

/** Ignores case, accents and repeated spaces. */
export const normalizeText = (text: string): string => {
  const plain = isPlain.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replaceAll(accents, '')
        .replaceAll(/[ൺ-ൿৎ]/g, (letter) => endings[letter] ?? letter)
  return plain.toLowerCase().replaceAll(/ +/g, ' ').trim()
}

/** The words of a query, as `normalizeText` writes them. */
export const searchWords = (q: string): readonly string[] =>
  normalizeText(q)
    .split(' ')
    .filter((word) => word !== '')
