import { z } from 'zod'
import { limits, requiredLine } from '../shared/rules.ts'

const missingAddress = 'Please enter an address'
const notHttps = 'Enter an address that begins with https://'

/** Parses like URL.parse, which older browsers do not have. */
const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Browsers read a backslash as a slash and skip line breaks, so `https:/\\example.com` would be another address. */
const isHttpsAddress = (text: string): boolean =>
  /^https:\/\/[^\s\\/?#][^\s\\]*$/i.test(text) && parseUrl(text) !== undefined

const hasCredentials = (text: string): boolean => {
  const url = parseUrl(text)
  return url !== undefined && (url.username !== '' || url.password !== '')
}

/** Each check stops the others, so that the field has one message. */
const httpsAddress = z
  .string(missingAddress)
  .trim()
  .min(1, { error: missingAddress, abort: true })
  .max(limits.buttonUrlChars, { error: `Address must be at most ${limits.buttonUrlChars} characters`, abort: true })
  .refine(isHttpsAddress, { error: notHttps, abort: true })
  // `https://portal.example@evil.example` leads to evil.example.
  .refine((text) => !hasCredentials(text), 'Enter an address without a user name or password')

/** A link below the message of a notification. It leads out of the portal. */
export const notificationButtonSchema = z.object({
  label: requiredLine('Button label', limits.buttonLabelChars, 'Please enter a button label'),
  url: httpsAddress,
})
export type NotificationButton = z.infer<typeof notificationButtonSchema>

/** Returns the host that the button leads to. International names are in ASCII, which cannot look like another name. */
export const hostOf = ({ url }: NotificationButton): string => parseUrl(url)?.host ?? ''
