import { z } from 'zod'
import { hasCredentials, isPortalOrHttpsUrl, isPortalPath, parseUrl } from '../shared/https-address.ts'
import { limits, requiredLine } from '../shared/rules.ts'

const missingAddress = 'Please enter an address'
const wrongAddress = 'Enter an address that begins with https://, or a page of the portal such as /my-program'

/** Each check stops the others, so that the field has one message. */
const buttonAddress = z
  .string(missingAddress)
  .trim()
  .min(1, { error: missingAddress, abort: true })
  .max(limits.buttonUrlChars, { error: `Address must be at most ${limits.buttonUrlChars} characters`, abort: true })
  .refine(isPortalOrHttpsUrl, { error: wrongAddress, abort: true })
  .refine((text) => !hasCredentials(text), 'Enter an address without a user name or password')

/** A link below the message of a notification: to a page of the portal, or out of it. */
export const notificationButtonSchema = z.object({
  label: requiredLine('Button label', limits.buttonLabelChars, 'Please enter a button label'),
  url: buttonAddress,
})
export type NotificationButton = z.infer<typeof notificationButtonSchema>

/**
 * Returns the page of the portal that the button leads to, or the host. International names are in ASCII, which cannot look like
 * another name.
 */
export const destinationOf = ({ url }: NotificationButton): string =>
  isPortalPath(url) ? url : (parseUrl(url)?.host ?? '')
