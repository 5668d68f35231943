const devanagari = /[\u0900-\u097f]/

/** The `lang` of a text that a user wrote: Devanagari is set and read aloud differently from the portal's English. */
export const languageOf = (text: string): 'hi' | undefined => (devanagari.test(text) ? 'hi' : undefined)
