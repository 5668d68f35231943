import { hasCredentials, isPortalOrHttpsUrl } from './https-address.ts'
import { optionalLine } from './rules.ts'

/** Pattern for the documentation: the start of an address that `isPortalOrHttpsUrl` accepts. */
export const imageUrlPattern = '^(https://|/)'
export const invalidImageUrl = (field: string) => `${field} must start with https:// or /`
export const credentialsInImageUrl = (field: string) => `${field} must not contain a user name or password`

/** The address of a picture; empty for none. */
export const imageUrlOrNone = (maxChars: number) =>
  optionalLine('Image URL', maxChars)
    .unwrap()
    .refine((text) => text === '' || isPortalOrHttpsUrl(text), { error: invalidImageUrl('Image URL'), abort: true })
    .refine((text) => !hasCredentials(text), credentialsInImageUrl('Image URL'))
    .meta({ pattern: `^$|${imageUrlPattern}` })
