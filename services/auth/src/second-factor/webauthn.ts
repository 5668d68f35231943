import type { SignedByPasskey } from '@portal/contracts/auth/factor-proof'
import {
  type CreatedPasskey,
  creationOptionsSchema,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type PasskeyTransport,
  requestOptionsSchema,
} from '@portal/contracts/auth/passkeys'
import { passkeyChallengeValidMs } from './passkey-challenge.ts'
import type { RelyingParty } from './relying-party.ts'

/** Loaded on first use: it takes half a second and 30 MB, which a portal without passkeys need not spend. */
const loadLibrary = () => import('@simplewebauthn/server')
const loadHelpers = () => import('@simplewebauthn/server/helpers')

/** EdDSA, ES256, RS256. Other versions of the library offer others, depending on the version of Node.js. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Shown by authenticators. */
const rpName = 'Minor Programs'

/** The library's default of the options. Its checks demand verification by default, which not each security key can do. */
const userVerification = 'preferred'
const requireUserVerification = false

export type KnownCredential = { readonly id: string; readonly transports: readonly PasskeyTransport[] }

type Ceremony = { readonly relyingParty: RelyingParty; readonly challenge: string }

const descriptorsOf = (known: readonly KnownCredential[]) =>
  known.map(({ id, transports }) => ({ id, transports: [...transports] }))

type Creation = Ceremony & {
  /** `handle`: in hexadecimal digits. */
  readonly user: { readonly handle: string; readonly email: string; readonly fullName: string }
  /** An authenticator that has one of these makes no second one. */
  readonly existing: readonly KnownCredential[]
}

export const creationOptions = async (creation: Creation): Promise<PasskeyCreationOptions> => {
  const { relyingParty, challenge, user, existing } = creation
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpID: relyingParty.id,
    rpName,
    challenge,
    // With another id for each passkey, an authenticator would list several accounts.
    userID: new Uint8Array(Buffer.from(user.handle, 'hex')),
    userName: user.email,
    userDisplayName: user.fullName,
    timeout: passkeyChallengeValidMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'discouraged', userVerification },
    supportedAlgorithmIDs,
    excludeCredentials: descriptorsOf(existing),
  })
  return creationOptionsSchema.parse(options)
}

export const requestOptions = async (
  { relyingParty, challenge }: Ceremony,
  allowed: readonly KnownCredential[],
): Promise<PasskeyRequestOptions> => {
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge,
    timeout: passkeyChallengeValidMs,
    userVerification,
    allowCredentials: descriptorsOf(allowed),
  })
  return requestOptionsSchema.parse(options)
}

const expectedOf = ({ relyingParty, challenge }: Ceremony) => ({
  expectedChallenge: Buffer.from(challenge).toString('base64url'),
  expectedOrigin: relyingParty.origin,
  expectedRPID: relyingParty.id,
  requireUserVerification,
})

/** The library throws for what it does not accept. None of it depends on anything but the input. */
const orUndefined = async <T>(verified: Promise<T>): Promise<T | undefined> => {
  try {
    return await verified
  } catch {
    return undefined
  }
}

/** A statement with certificates would let the library fetch addresses that are in them. The portal asks for none. */
const hasNoCertificates = async ({ response: { attestationObject } }: CreatedPasskey): Promise<boolean> => {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers()
  const decode = async () => {
    // Its types promise maps, but it returns what the client has encoded.
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  }
  return (await orUndefined(decode())) ?? false
}

export type NewCredential = KnownCredential & { readonly publicKey: string; readonly counter: number }

/** What the browser made, or undefined if it does not answer the challenge. */
export const verifyCreation = async (
  ceremony: Ceremony,
  created: CreatedPasskey,
): Promise<NewCredential | undefined> => {
  if (!(await hasNoCertificates(created))) return undefined
  const { verifyRegistrationResponse } = await loadLibrary()
  const { id, type, response } = created
  const { clientDataJSON, attestationObject, transports = [] } = response
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response: { id, rawId: id, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      ...expectedOf(ceremony),
      supportedAlgorithmIDs,
    }),
  )
  if (!verified?.verified) return undefined
  const { credential } = verified.registrationInfo
  // The library does not compare them. Logins name the passkey by the first, whose length the contract bounds.
  if (credential.id !== id) return undefined
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  return { id: credential.id, publicKey, counter: credential.counter, transports }
}

/** The counter that the passkey has signed, or undefined if the signature is not its own. */
export const verifySignature = async (
  ceremony: Ceremony,
  signed: SignedByPasskey,
  publicKey: string,
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { id, type, response } = signed
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response: { id, rawId: id, type, response, clientExtensionResults: {} },
      ...expectedOf(ceremony),
      // The library compares the counter before the signature, so that anyone could make it report a copy. The decider compares it.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    }),
  )
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}
