import { nameKey } from '../name-key.ts'

/** Words that no abbreviation of a title has a letter of. */
const smallWords: ReadonlySet<string> = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'on', 'the', 'to', 'with'])

const firstWordLetters = 3
const initialsAtMost = 5

/** 'AI' stays as it is, of any other word the first letter stands for it. */
const initialsOf = (word: string): string => (/^[A-Z]{2,4}$/.test(word) ? word : word.slice(0, 1).toUpperCase())

/** 'Minor in Artificial Intelligence' is MIN-AI. */
const prefixOf = (programName: string): string => {
  const words = programName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && !smallWords.has(word.toLowerCase()))
  const [first, ...others] = words
  // A name in another script has no Latin letters to take.
  if (first === undefined) return 'PROGRAM'
  const initials = others.map(initialsOf).join('').slice(0, initialsAtMost)
  return [first.slice(0, firstWordLetters).toUpperCase(), ...(initials === '' ? [] : [initials])].join('-')
}

/** Codes are read out and typed by people: who writes one in small letters means the same program. */
export const sameCode = (a: string, b: string): boolean => nameKey(a) === nameKey(b)

/** A code for a program that was given none: short for its name, with the first number that is free, MIN-AI-01. */
export const makeProgramCode = (programName: string, isTaken: (code: string) => boolean): string => {
  const prefix = prefixOf(programName)
  for (let number = 1; ; number++) {
    const code = `${prefix}-${String(number).padStart(2, '0')}`
    if (!isTaken(code)) return code
  }
}
