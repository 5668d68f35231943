import { z } from 'zod'
import { hasCredentials, isHttpsAddress, parseUrl } from '../shared/https-address.ts'
import { limits, requiredLine } from '../shared/rules.ts'

const missingAddress = 'Please enter an address'
const notHttps = 'Enter an address that begins with https://'

/** Each check stops the others, so that the field has one message. */
const httpsAddress = z
  .string(missingAddress)
  .trim()
  .min(1, { error: missingAddress, abort: true })
  .max(limits.buttonUrlChars, { error: `Address must be at most ${limits.buttonUrlChars} characters`, abort: true })
  .refine(isHttpsAddress, { error: notHttps, abort: true })
  .refine((text) => !hasCredentials(text), 'Enter an address without a user name or password')

/** A link below the message of a notification. It leads out of the portal. */
export const notificationButtonSchema = z.object({
  label: requiredLine('Button label', limits.buttonLabelChars, 'Please enter a button label'),
  url: httpsAddress,
})
export type NotificationButton = z.infer<typeof notificationButtonSchema>

/** Returns the host that the button leads to. International names are in ASCII, which cannot look like another name. */
export const hostOf = ({ url }: NotificationButton): string => parseUrl(url)?.host ?? ''
