/** A longer word is hardly a name that one is called by, and breaks the title. */
const maxWordChars = 18

/** Whether the title of a page can greet by this name. */
export const isGreetable = (name: string): boolean =>
  name !== '' && name.split(/\s+/).every((word) => [...word].length <= maxWordChars)
