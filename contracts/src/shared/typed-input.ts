/**
 * What people type or paste, in the one form that is compared, recorded and sent. The rules in rules.ts use it for forms, routes and
 * commands. Whatever looks for a person by an address uses it directly.
 */

/** Joiners, direction marks, fillers and the empty braille cell. */
const invisibleCharacters = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/gu

export const stripInvisible = (text: string): string => text.replaceAll(invisibleCharacters, '')

const plainDomain = /^[a-z\d.-]*$/
/** The parser of addresses would end a domain at any other character. */
const wordsWithDots = /^[\p{L}\p{M}\p{N}.。-]+$/u

/** IDNA turns letters of other scripts, and those that only look like Latin ones, into ASCII. */
const asciiDomain = (domain: string): string => {
  if (plainDomain.test(domain) || !wordsWithDots.test(domain)) return domain
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}

// Stryker disable next-line Regex: it only says what needs no cleaning
const plainAddress = /^[a-z\d._+@-]*$/

/**
 * The one form of an e-mail address, whatever reaches the same mailbox: without blanks around it and invisible characters, in lower
 * case, full-width characters as usual ones, the domain in ASCII. A text that is no address stays one that is none.
 */
export const cleanEmail = (text: string): string => {
  // Most are: a list of 100,000 is compared in a tenth of the time.
  // Stryker disable next-line ConditionalExpression: without it, cleaning changes nothing of such a text
  if (plainAddress.test(text)) return text
  // Composed again: a mark can belong to a letter only once that is in lower case, or nothing invisible is between them.
  const plain = stripInvisible(text.normalize('NFKC')).toLowerCase().normalize('NFC').trim()
  const domainAt = plain.lastIndexOf('@') + 1
  return domainAt === 0 ? plain : plain.slice(0, domainAt) + asciiDomain(plain.slice(domainAt))
}

/** The zero of each script that the keyboards of India and its neighbors write digits in. Nine more follow each. */
const zeros = [
  0x06_60, 0x06_f0, 0x07_c0, 0x09_66, 0x09_e6, 0x0a_66, 0x0a_e6, 0x0b_66, 0x0b_e6, 0x0c_66, 0x0c_e6, 0x0d_66, 0x0d_e6,
  0x0e_50, 0x0e_d0, 0x0f_20, 0x10_40, 0x17_e0, 0x1c_50, 0xab_f0,
]

const asciiDigit = (digit: string): string => {
  const code = digit.charCodeAt(0)
  // Stryker disable next-line EqualityOperator: no other digit follows a nine
  const zero = zeros.find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** Digits of any script as 0 to 9, without invisible characters. */
export const withAsciiDigits = (text: string): string =>
  stripInvisible(text.normalize('NFKC')).replaceAll(/\p{Nd}/gu, asciiDigit)

/** What people put between the digits of a number. */
const betweenDigits = /[\s().\-‐-―/]/gu
/** India's country code, the zero of a call inside the country, or both, before a mobile number, which begins with 6 to 9. */
const callPrefix = /^(?:(?:\+91|0091|91)0?|0)(?=[6-9]\d{9}$)/

/** A mobile number as its ten digits; what is none stays wrong, and is never cut to another person's. */
export const cleanMobileNumber = (text: string): string =>
  withAsciiDigits(text).replaceAll(betweenDigits, '').replace(callPrefix, '')

/** A one-time code: the only run of six digits in a pasted message, or else the digits themselves without what separates them. */
export const cleanCode = (text: string): string => {
  const typed = withAsciiDigits(text)
  const [only, ...others] = typed.split(/\D/).filter((run) => run.length === 6)
  return only !== undefined && others.length === 0 ? only : typed.replaceAll(betweenDigits, '')
}
