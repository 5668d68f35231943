import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { SignedByPasskey } from '@portal/contracts/auth/factor-proof'
import type { MadePasskey, PasskeyCreationOptions, PasskeyRequestOptions } from '@portal/contracts/auth/passkeys'
import type { Answer } from '../../lib/http.ts'

export const supportsPasskeys = (): boolean => browserSupportsWebAuthn()

const elsewhere = 'Passkeys do not work at this address of the portal. Please use another way.'

const messages: Readonly<Record<string, string>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device or key already has a passkey for your account.',
  ERROR_INVALID_DOMAIN: elsewhere,
  ERROR_INVALID_RP_ID: elsewhere,
}

/** Browsers do not say whether the user canceled, waited too long, or has no passkey here. */
const failed = (what: string, error: unknown): { readonly success: false; readonly message: string } => {
  console.warn(what, error)
  const known = error instanceof WebAuthnError ? messages[error.code] : undefined
  return { success: false, message: known ?? what }
}

/** Closes the browser's question when the signal aborts, and does not ask after that. */
const abortable = async <T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
  signal.throwIfAborted()
  const close = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', close)
  try {
    return await ask()
  } finally {
    signal.removeEventListener('abort', close)
  }
}

/** Lets the browser ask the user to make a passkey. */
export const createPasskey = async (
  optionsJSON: PasskeyCreationOptions,
  signal: AbortSignal,
): Promise<Answer<MadePasskey>> => {
  try {
    const { id, response } = await abortable(signal, () => startRegistration({ optionsJSON }))
    const { clientDataJSON, attestationObject, transports = [] } = response
    const data = { id, type: 'public-key', response: { clientDataJSON, attestationObject, transports } } as const
    return { success: true, data }
  } catch (error) {
    return failed('No passkey was added. Please try again.', error)
  }
}

/** Lets the browser ask the user for a passkey. */
export const signWithPasskey = async (
  optionsJSON: PasskeyRequestOptions,
  signal: AbortSignal,
): Promise<Answer<SignedByPasskey>> => {
  try {
    const { id, response } = await abortable(signal, () => startAuthentication({ optionsJSON }))
    const { clientDataJSON, authenticatorData, signature } = response
    const data = { id, type: 'public-key', response: { clientDataJSON, authenticatorData, signature } } as const
    return { success: true, data }
  } catch (error) {
    return failed('Your passkey was not used. Please try again.', error)
  }
}
