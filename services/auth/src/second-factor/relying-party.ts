import { isIP } from 'node:net'
import type { Site } from '@portal/platform/settings/link-origin'

/** Whom passkeys are bound to. `id`: the host name; a passkey of another one does not work. */
export type RelyingParty = { readonly id: string; readonly origin: string }

type RequestedSite = { readonly headers: { readonly origin?: string | undefined; readonly host?: string | undefined } }

/** Browsers make passkeys for names only, not for addresses, and over https or on the user's own machine. */
const isPossible = ({ hostname, protocol }: URL): boolean =>
  hostname === 'localhost' || (protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0)

/**
 * Undefined if passkeys do not work at the portal's address. Without a configured one, the portal must be open as `localhost`: an
 * attacker can send any other Host.
 */
export const relyingPartyOf = (
  { publicOrigin }: Pick<Site, 'publicOrigin'>,
  { headers }: RequestedSite,
): RelyingParty | undefined => {
  const address = publicOrigin ?? headers.origin ?? `http://${headers.host}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (publicOrigin === undefined && url.hostname !== 'localhost') return undefined
  return isPossible(url) ? { id: url.hostname, origin: url.origin } : undefined
}
