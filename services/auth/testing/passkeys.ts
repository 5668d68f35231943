import {
  addPasskey,
  beginPasskey,
  beginPasskeyProof,
  beginPasskeyStep,
  takePasskeyStep,
} from '@portal/contracts/auth/passkeys'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { applicant, type Harness } from './harness.ts'
import { challengeOf, type Proof } from './second-factor.ts'

type Options = Parameters<typeof createAuthenticator>[0]

/** An authenticator in a browser that has the portal open. */
export const newAuthenticator = (options: Partial<Options> = {}): Authenticator =>
  createAuthenticator({ origin: 'https://portal.example', ...options })

/** Adds the passkey of an authenticator to the account. */
export const addPasskeyOf = async (
  portal: Harness,
  token: string,
  authenticator: Authenticator,
  password: string = applicant.password,
  proof: Proof = {},
) => {
  const { options } = await portal.call(beginPasskey, { token, body: { password, ...proof } })
  return portal.call(addPasskey, { token, body: { credential: authenticator.create(options) } })
}

/** Signs for a change of the second factor. */
export const proofBy = async (portal: Harness, token: string, authenticator: Authenticator): Promise<Proof> => {
  const { options } = await portal.call(beginPasskeyProof, { token })
  return { assertion: authenticator.sign(options) }
}

type Step = Awaited<ReturnType<typeof challengeOf>>

export const passkeyOptions = async (portal: Harness, { challenge, cookie }: Step) =>
  (await portal.call(beginPasskeyStep, { cookie, body: { challenge } })).options

/** Sends what the browser has signed. */
export const sendSigned = ({ inject }: Harness, { challenge, cookie }: Step, credential: unknown, address?: string) =>
  inject(takePasskeyStep, { cookie, body: { challenge, credential }, ...(address !== undefined && { address }) })

/** A whole login with the passkey. */
export const logInByPasskey = async (portal: Harness, authenticator: Authenticator) => {
  const step = await challengeOf(portal)
  return sendSigned(portal, step, authenticator.sign(await passkeyOptions(portal, step)))
}
