import { z } from 'zod'
import { cleanCode, cleanEmail, cleanMobileNumber, stripInvisible } from './typed-input.ts'

/**
 * The product's validation rules with their exact messages. Routes, forms and sockets share them, so both sides
 * report the same mistake in the same words. Upper bounds limit hostile input and are far above real use. A check
 * without its own message uses that of its type.
 */
export const limits = {
  nameChars: 120,
  emailChars: 254,
  passwordChars: 128,
  titleChars: 200,
  inboxQueryChars: 100,
  messageChars: 5_000,
  buttonLabelChars: 40,
  buttonUrlChars: 2_048,
  /** A push has at most 4 KiB. */
  notificationImageChars: 500,
  pushTokenChars: 4_096,
  recipientsPerSend: 10_000,
  recipientsPerAudience: 200_000,
  audienceContacts: 100_000,
  audienceUniversities: 1_000,
  adminReasonChars: 200,
  admins: 50,
  detailChars: 5_000,
  shortTextChars: 200,
  urlChars: 2_048,
  semesters: 20,
  toolsPerProgram: 50,
  factsPerProgram: 50,
  programs: 200,
  universities: 1_000,
  enrollmentsPerUser: 200,
  attemptsPerNotification: 5,
  /** How long a confirmed send can be taken back. */
  sendHoldMs: 8_000,
  /** A confirmed or scheduled send that is later waits for an admin's decision, for example after an outage. */
  sendLatenessMs: 3_600_000,
  markedUnreadPerUser: 200,
  templates: 100,
  templateNameChars: 80,
  draftsPerAdmin: 50,
  draftDays: 90,
  /** A form as JSON. Encrypted it fits into an event. */
  draftChars: 200_000,
  pageSize: 100,
  page: 1_000_000,
} as const

/** Tab and line breaks are allowed; other control characters are not. */
const controlCharacters = /(?![\t\n\r])\p{Cc}/u

/**
 * Scripts and emoji need some invisible characters, so they stay. A text of invisible characters only becomes
 * empty.
 */
const blankIfInvisible = (text: string): string => (stripInvisible(text).trim() === '' ? '' : text)

/** Trimmed text of at most `maxChars` characters with at least one visible character: '{field} is required'. */
export const requiredText = (field: string, maxChars: number, requiredMessage = `${field} is required`) =>
  z
    .string(requiredMessage)
    .trim()
    .overwrite(blankIfInvisible)
    .min(1, requiredMessage)
    .max(maxChars, `${field} must be at most ${maxChars} characters`)
    .refine((text) => !controlCharacters.test(text), `${field} must not contain control characters`)

/** Scripts whose letters need zero-width joiners, as in क्‍ष and می‌خواهم. */
const joiningScripts = [
  'Arabic',
  'Syriac',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Meetei_Mayek',
  'Myanmar',
  'Khmer',
  'Tibetan',
  'Mongolian',
]
const joiningLetter = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`
/** Avoids lookbehind, which older browsers do not support. */
const joinedLetters = new RegExp(`(${joiningLetter})[\\u200C\\u200D](?=${joiningLetter})`, 'gu')
/** Malayalam and Sinhala words can end with a joiner. */
const joinedByVirama = /([\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])\u200D/gu
const variedHan = /(\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/gu
const flagOfRegion = /\u{1F3F4}[\u{E0030}-\u{E007A}]+\u{E007F}/gu
const keycap = /[0-9#*]\uFE0F\u20E3/gu
const pictographs =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?(\u200D\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)*/gu

const lineBreaks = /[\t\n\r\u2028\u2029]/u
const hiddenCharacters = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/u

/**
 * Rejects characters that can make one text look like another: direction marks, and invisible characters where no
 * script needs them.
 */
const hasHiddenCharacters = (text: string): boolean => {
  // Stryker disable next-line ConditionalExpression: nearly all texts have none, and a phone compiles what follows for 20 ms
  if (!hiddenCharacters.test(text)) return false
  // Stryker disable StringLiteral: what stands in their place only has to be seen, if it is anything
  const withoutNeeded = text
    .replaceAll(joinedLetters, '$1')
    .replaceAll(joinedByVirama, '$1')
    .replaceAll(variedHan, '$1')
    .replaceAll(flagOfRegion, '')
    .replaceAll(keycap, '')
    .replaceAll(pictographs, '')
  // Stryker restore StringLiteral
  return hiddenCharacters.test(withoutNeeded)
}

/** Adds the rules for single-line text. */
export const asLine = <Text extends z.ZodString>(text: Text, field: string): Text =>
  text
    .refine((line) => !lineBreaks.test(line), `${field} must be one line`)
    .refine((line) => !hasHiddenCharacters(line), `${field} must not contain hidden characters`)

/** A name or a title: `requiredText` on a single line without hidden characters. */
export const requiredLine = (field: string, maxChars: number, requiredMessage?: string) =>
  asLine(requiredText(field, maxChars, requiredMessage), field)

const textOrNone = (field: string, maxChars: number) =>
  z
    .string(`${field} must be text`)
    .trim()
    .overwrite(blankIfInvisible)
    .max(maxChars, `${field} must be at most ${maxChars} characters`)
    .refine((text) => !controlCharacters.test(text), `${field} must not contain control characters`)

/** Trimmed text that may be empty. Defaults to `byDefault`. */
export const optionalText = (field: string, maxChars: number, byDefault = '') =>
  textOrNone(field, maxChars).default(byDefault)

/** Parses like `optionalText`, on a single line without hidden characters. */
export const optionalLine = (field: string, maxChars: number, byDefault = '') =>
  asLine(textOrNone(field, maxChars), field).default(byDefault)

const notAnEmail = 'Please enter a valid email address'

const emailText = z
  .string('Email is required')
  .trim()
  // Aborts here: the pattern takes quadratic time.
  .max(limits.emailChars, { error: notAnEmail, abort: true })

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && !controlCharacters.test(text)

/**
 * An address that may have an account, in lower case. Accounts of older releases have addresses that `email` rejects or writes
 * otherwise, so its shape may be right as it was typed or in its one form.
 */
export const knownEmail = emailText
  .min(1)
  .refine((text) => isAddress(text) || isAddress(cleanEmail(text)), notAnEmail)
  .transform((text) => text.toLowerCase())

/** What mail can be sent to: no quotes, no empty part, a domain that can exist. */
const mailbox =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/u

/** A new address, in the one form that decides who is the same person. */
export const email = emailText
  .overwrite(cleanEmail)
  .min(1)
  .max(limits.emailChars, notAnEmail)
  .refine((address) => mailbox.test(address), notAnEmail)

export const mobileNumber = z
  .string('Mobile number is required')
  .min(1)
  .overwrite(cleanMobileNumber)
  .regex(/^\d{10}$/, 'Mobile number must be exactly 10 digits')

export const oneTimeCode = z
  .string('OTP must be exactly 6 digits')
  .overwrite(cleanCode)
  .regex(/^\d{6}$/)

/** A new password. Reports the first rule that fails. */
export const newPassword = z
  .string('Password is required')
  .min(8, { error: 'Password must be at least 8 characters long', abort: true })
  .max(limits.passwordChars, `Password must be at most ${limits.passwordChars} characters`)
  .regex(/[A-Z]/, { error: 'Password must contain at least one uppercase letter', abort: true })
  .regex(/[a-z]/, { error: 'Password must contain at least one lowercase letter', abort: true })
  .regex(/\d/, { error: 'Password must contain at least one digit', abort: true })
  .regex(/[^A-Za-z0-9\s]/, 'Password must contain at least one special character')

/** A password at login: any non-empty text, so that a rule change locks no user out. */
export const typedPassword = z.string('Password is required').min(1).max(limits.passwordChars, 'Invalid credentials')

/** The edit-profile form shows this for any broken password rule. */
const weakPassword =
  'Password must be at least 8 characters, include uppercase, lowercase, number, and special character.'

/** The edit-profile form's new password: the rules of `newPassword` with one message for all of them. */
export const strongPassword = z
  .string('Please enter a new password.')
  .min(1, { error: 'Please enter a new password.', abort: true })
  .refine((text) => newPassword.safeParse(text).success, weakPassword)

export const passwordsDoNotMatch = 'Passwords do not match'
export const atLeastOneCode = 'Please enter at least one OTP (email or phone)'
