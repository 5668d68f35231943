import { createRequire } from 'node:module'
import type { ApiError } from '@portal/platform/http/handler'
import { z } from 'zod'

/** Most common first; see docs/security.md. Loaded at the first check. */
const listFile = '@zxcvbn-ts/language-common/src/passwords.json'
const commonCount = 10_000
/** Shorter entries are mere syllables: a long password may contain them. */
const shortestCommon = 4

const loadCommonPasswords = (): ReadonlySet<string> => {
  const list = z.array(z.string()).parse(createRequire(import.meta.url)(listFile))
  return new Set(list.slice(0, commonCount).filter((word) => word.length >= shortestCommon))
}
let loaded: ReadonlySet<string> | undefined
const commonPasswords = (): ReadonlySet<string> => (loaded ??= loadCommonPasswords())

/** What is known of the owner of the password. */
type PasswordOwner = {
  readonly fullName?: string
  readonly personalEmail?: string
  readonly mobileNumber?: string
  readonly universityName?: string
}

/** What the portal is called and is about. */
const productWords: readonly string[] = (
  'portal learningportal learning learner learners minor minors program programs programme programmes faculty semester semesters ' +
  'university universities college course courses student students campus center certificate enrollment notification notifications'
).split(' ')
const shortestOwnWord = 4
/** Limits the work per check. */
const mostOwnWords = 40
const mostDecorationChars = 8
/** Letters and digits that must remain without own words. */
const fewestCharsLeft = 8
/** Characters that do not go on with a run or a repetition. */
const fewestSurprises = 7
const longestRepeated = 4

const lettersPerSign: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
  '|': 'l',
}
const digitPerShiftedKey: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('!@#$%^&*()', (sign, index) => [sign, String((index + 1) % 10)] as const),
)

const replaceEach = (text: string, by: Readonly<Record<string, string>>): string =>
  Array.from(text, (character) => by[character] ?? character).join('')

const withoutSigns = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Spellings of a text: letters instead of signs, digits instead of shifted keys, no separators. */
const readingsOf = (text: string): readonly string[] => {
  const asLetters = replaceEach(text, lettersPerSign)
  return [
    text,
    withoutSigns(text),
    asLetters,
    withoutSigns(asLetters),
    withoutSigns(replaceEach(text, { ...lettersPerSign, '1': 'l', '!': 'l' })),
    replaceEach(text, digitPerShiftedKey),
  ]
}

/** Digits and signs around a word. A long and varied run adds real strength, so it does not count as decoration. */
const isDecoration = (text: string): boolean => text.length <= mostDecorationChars || new Set(text).size <= 4

/** Yields the word with less and less decoration. */
function* coresOf(text: string): Generator<string> {
  const [before = ''] = /^[^\p{L}]*/u.exec(text) ?? []
  const [behind = ''] = before.length === text.length ? [''] : (/[^\p{L}]*$/u.exec(text) ?? [])
  const word = text.slice(before.length, text.length - behind.length)
  if (!isDecoration(before) || !isDecoration(behind)) return
  for (let kept = 0; kept <= Math.min(before.length, mostDecorationChars); kept++)
    for (let keptBehind = 0; keptBehind <= Math.min(behind.length, mostDecorationChars); keptBehind++)
      yield before.slice(before.length - kept) + word + behind.slice(0, keptBehind)
}

const goesOn = (codes: readonly number[], at: number): boolean => {
  const step = (index: number): number => (codes[index] ?? 0) - (codes[index - 1] ?? 0)
  if (at >= 1 && step(at) === 0) return true
  if (at >= 2 && Math.abs(step(at)) === 1 && step(at) === step(at - 1)) return true
  for (let length = 2; length <= Math.min(longestRepeated, at - 1); length++)
    if (codes[at] === codes[at - length] && codes[at - 1] === codes[at - 1 - length]) return true
  return false
}

/** Whether a text is little more than runs ('abcdefg', '7654') and repetitions ('aaaa', 'abcabc'). */
const isMonotonous = (text: string): boolean => {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  return codes.filter((_code, at) => !goesOn(codes, at)).length < fewestSurprises
}

const isCommonText = (text: string): boolean => {
  for (const core of coresOf(text)) if (readingsOf(core).some((reading) => commonPasswords().has(reading))) return true
  // Digits only, possibly with signs between: the cores above end at a letter.
  return commonPasswords().has(withoutSigns(text))
}

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const partsOf = (text: string): readonly string[] => fold(text).split(/[^\p{L}\p{N}]+/u)

const ownWordsOf = ({ fullName = '', personalEmail = '', mobileNumber = '', universityName = '' }: PasswordOwner) => {
  const [local = ''] = personalEmail.split('@')
  const whole = [fullName, personalEmail, local, universityName].map((text) => withoutSigns(fold(text)))
  const parts = [fullName, personalEmail, universityName].flatMap(partsOf)
  const byLength = (a: string, b: string): number => b.length - a.length
  const words = [...whole, ...parts, mobileNumber].filter((word) => word.length >= shortestOwnWord)
  const own = words.toSorted(byLength).slice(0, mostOwnWords)
  // The longest first, so that a whole name is removed before its parts.
  return [...new Set([...own, ...productWords])].toSorted(byLength)
}

const without = (text: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.replaceAll(word, ''), text)

/** Whether the password consists of own words and a rest that is too weak by itself. */
const isOwnText = (password: string, words: readonly string[]): boolean =>
  readingsOf(password).some((reading) => {
    const rest = without(reading, words)
    return rest !== reading && (withoutSigns(rest).length < fewestCharsLeft || isCommonText(rest))
  })

export const guessablePasswords = {
  common: 'This password is too common. Please choose one that is harder to guess.',
  own: 'This password is too close to your name, your email or the name of the portal. Please choose another one.',
} as const

/**
 * Why a password is easy to guess; undefined if it is not. Expects at most 128 characters
 * (contracts/src/shared/rules.ts).
 */
export const guessability = (password: string, owner: PasswordOwner): keyof typeof guessablePasswords | undefined => {
  const text = fold(password)
  if (isCommonText(text) || isMonotonous(text)) return 'common'
  return isOwnText(text, ownWordsOf(owner)) ? 'own' : undefined
}

/** The validation error for a guessable password, at the given field; undefined for any other. */
export const rejectGuessablePassword = (
  field: 'password' | 'newPassword',
  password: string,
  owner: PasswordOwner,
): ApiError | undefined => {
  const why = guessability(password, owner)
  if (why === undefined) return undefined
  const message = guessablePasswords[why]
  return { code: 'invalid', message, errors: { [field]: message } }
}
