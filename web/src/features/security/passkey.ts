import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type {
  MadePasskey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignedByPasskey,
} from '@portal/contracts/auth/passkeys'
import type { Answer } from '../../lib/http.ts'

export const supportsPasskeys = (): boolean => browserSupportsWebAuthn()

/** Browsers do not say whether the user canceled, waited too long, or has no passkey here. */
const failed = (what: string, error: unknown): { readonly success: false; readonly message: string } => {
  console.warn(what, error)
  const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  return { success: false, message: isKnown ? 'This device or key already has a passkey for your account.' : what }
}

/** Lets the browser ask the user to make a passkey. */
export const createPasskey = async (optionsJSON: PasskeyCreationOptions): Promise<Answer<MadePasskey>> => {
  try {
    const { id, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports = [] } = response
    const data = { id, type: 'public-key', response: { clientDataJSON, attestationObject, transports } } as const
    return { success: true, data }
  } catch (error) {
    return failed('No passkey was added. Please try again.', error)
  }
}

/** Lets the browser ask the user for a passkey. */
export const signWithPasskey = async (optionsJSON: PasskeyRequestOptions): Promise<Answer<SignedByPasskey>> => {
  try {
    const { id, response } = await startAuthentication({ optionsJSON })
    const { clientDataJSON, authenticatorData, signature } = response
    const data = { id, type: 'public-key', response: { clientDataJSON, authenticatorData, signature } } as const
    return { success: true, data }
  } catch (error) {
    return failed('Your passkey was not used. Please try again.', error)
  }
}
