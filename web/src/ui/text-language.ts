const letters = /[\p{L}\p{M}]/gu
const lettersOf = { hi: /\p{Script=Devanagari}/gu, ur: /\p{Script=Arabic}/gu } as const
const languages = ['hi', 'ur'] as const

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * The `lang` of a text that a user wrote. One that is mostly in Devanagari or Arabic letters is set and read aloud differently
 * from the portal's English.
 */
export const languageOf = (text: string): (typeof languages)[number] | undefined =>
  languages.find((language) => 2 * countOf(text, lettersOf[language]) > countOf(text, letters))
