const letters = /[\p{L}\p{M}]/gu
const devanagari = /\p{Script=Devanagari}/gu

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * The `lang` of a text that a user wrote. One that is mostly in Devanagari is set and read aloud differently from the portal's
 * English.
 */
export const languageOf = (text: string): 'hi' | undefined =>
  2 * countOf(text, devanagari) > countOf(text, letters) ? 'hi' : undefined
