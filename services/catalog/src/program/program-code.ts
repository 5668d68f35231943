import { nameKey } from '@portal/contracts/shared/name-key'

/** Words that do not contribute to an abbreviation. */
const stopWords: ReadonlySet<string> = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'on', 'the', 'to', 'with'])

const firstWordChars = 3
const maxInitials = 5

/** Acronyms such as 'AI' stay; other words contribute their first letter. */
const initialsOf = (word: string): string => (/^[A-Z]{2,4}$/.test(word) ? word : word.slice(0, 1).toUpperCase())

/** 'Minor in Artificial Intelligence' is MIN-AI. */
const prefixOf = (programName: string): string => {
  const words = programName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && !stopWords.has(word.toLowerCase()))
  const [first, ...others] = words
  // A name in a non-Latin script has no letters to abbreviate.
  if (first === undefined) return 'PROGRAM'
  const initials = others.map(initialsOf).join('').slice(0, maxInitials)
  return [first.slice(0, firstWordChars).toUpperCase(), ...(initials === '' ? [] : [initials])].join('-')
}

/** Codes are read out and typed by hand, so case does not matter. */
export const sameCode = (a: string, b: string): boolean => nameKey(a) === nameKey(b)

/** Generates a program code: an abbreviation of the name plus the first unused number, such as MIN-AI-01. */
export const makeProgramCode = (programName: string, isTaken: (code: string) => boolean): string => {
  const prefix = prefixOf(programName)
  for (let number = 1; ; number++) {
    const code = `${prefix}-${String(number).padStart(2, '0')}`
    if (!isTaken(code)) return code
  }
}
