/** A part of a text: plain, or a link to what it names. */
type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

/**
 * Addresses of the web, e-mail addresses and phone numbers of at least ten digits. Without lookbehind, which older browsers do
 * not support, and without nested repetitions, so that the time is linear. Browsers copy addresses with long dashes, quotation
 * marks and the punctuation of other scripts encoded, so these marks end an address.
 */
const candidates =
  /\bhttps?:\/\/[^\s<>"“”„«»‹›「」『』《》（）【】`→—…。、，！？；：।॥۔،؛؟\u200b]{1,2000}|[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}|\+?\d[\d -]{8,18}\d/giu

/**
 * An ending in a script of India after Latin letters, such as that of the Marathi 'https://x.example/aवर', and the punctuation after it.
 * A word inside the address is part of it.
 */
const ending =
  /[a-z\d](-?[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}]{1,20}[.,;:!?'’*_–)\]}]*)$/iu

const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

const count = (text: string, character: string): number => text.split(character).length - 1

/** Cuts the punctuation and the grammar of the sentence around an address. A closing bracket stays if it was opened in the address. */
const trimmed = (found: string): string => {
  const [, suffix = ''] = ending.exec(found) ?? []
  let end = found.length - suffix.length
  for (; end > 0; end -= 1) {
    const mark = found[end - 1] ?? ''
    const kept = found.slice(0, end)
    const opening = closing[mark]
    const isExtra = opening === undefined ? /[.,;:!?'’*_–]/u.test(mark) : count(kept, mark) > count(kept, opening)
    if (!isExtra) break
  }
  return found.slice(0, end)
}

/** Does what URL.parse does, which older browsers do not have. */
const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const webAddress = (text: string): string | undefined => {
  const url = parseUrl(text)
  // A user name before the host disguises where the link leads.
  if (!url || url.username !== '' || url.password !== '') return undefined
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}

const maxPhoneDigits = 15

const phoneNumber = (text: string): string | undefined => {
  const digits = text.replaceAll(/\D/g, '')
  // With a country code, or an Indian mobile number: other numbers are amounts, dates and codes.
  const isPhone = text.startsWith('+') ? digits.length >= 10 : /^[6-9]\d{9}$/.test(digits)
  return isPhone && digits.length <= maxPhoneDigits ? `tel:${text.startsWith('+') ? '+' : ''}${digits}` : undefined
}

const hrefOf = (text: string): string | undefined => {
  if (/^https?:/i.test(text)) return webAddress(text)
  return text.includes('@') ? `mailto:${text}` : phoneNumber(text)
}

/** Splits a text at its links. The parts together are the text. */
export const linkify = (text: string): readonly TextPart[] => {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(candidates)) {
    const link = trimmed(found)
    const isPartOfWord = /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, index - 1), index))
    const href = isPartOfWord ? undefined : hrefOf(link)
    if (href === undefined) continue
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) })
    parts.push({ kind: 'link', text: link, href })
    from = index + link.length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}
