import { createAuthenticator } from '@portal/auth/testing/authenticator'
import { totpCodeAt } from '@portal/auth/testing/totp-code'
import { logIn } from '@portal/contracts/auth/http'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyStep,
  removePasskey,
  takePasskeyStep,
} from '@portal/contracts/auth/passkeys'
import { beginTotp, confirmTotp, removeSecondFactor, takeSecondStep } from '@portal/contracts/auth/second-factor'
import { problemSchema } from '@portal/contracts/shared/problem'
import { callRoute, type SignedIn } from '../testing/api-client.ts'

type Person = { readonly email: string; readonly password: string }

/** Sends the password. Returns the challenge, and the cookie that it is bound to. */
const askedFor = async (address: string, { email, password }: Person) => {
  const response = await fetch(`${address}${logIn.path}`, {
    method: logIn.method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ personalEmail: email, password }),
    signal: AbortSignal.timeout(30_000),
  })
  const { secondStep } = problemSchema.parse(await response.json())
  const [cookie = ''] = response.headers.getSetCookie().map((header) => header.split(';')[0] ?? '')
  return { challenge: secondStep?.challenge, headers: { cookie } }
}

const logInWith = async (address: string, person: Person, code: string): Promise<void> => {
  const { challenge, headers } = await askedFor(address, person)
  await callRoute(address, takeSecondStep, { headers, body: { challenge, code } })
}

/** Turns two-step verification on, logs in by either kind of code, and turns it off. */
export const driveSecondFactor = async (address: string, { token }: SignedIn, person: Person): Promise<void> => {
  const { password } = person
  const { secret } = await callRoute(address, beginTotp, { token, body: { password } })
  const code = totpCodeAt(secret, new Date())
  const { recoveryCodes } = await callRoute(address, confirmTotp, { token, body: { code } })
  // Each code works once, and that of the next half minute already.
  await logInWith(address, person, totpCodeAt(secret, new Date(Date.now() + 30_000)))
  await logInWith(address, person, recoveryCodes[0] ?? '')
  await callRoute(address, removeSecondFactor, { token, body: { password, code: recoveryCodes[1] } })
}

/** Adds a passkey, logs in with it, and removes it. */
export const drivePasskey = async (listening: string, { token }: SignedIn, person: Person): Promise<void> => {
  // Browsers make no passkeys for IP addresses.
  const address = listening.replace('127.0.0.1', 'localhost')
  const { password } = person
  const authenticator = createAuthenticator({ origin: address })
  const { options } = await callRoute(address, beginPasskey, { token, body: { password } })
  const { passkey, recoveryCodes } = await callRoute(address, addPasskey, {
    token,
    body: { credential: authenticator.create(options) },
  })
  const { challenge, headers } = await askedFor(address, person)
  const asked = await callRoute(address, beginPasskeyStep, { headers, body: { challenge } })
  const credential = authenticator.sign(asked.options)
  await callRoute(address, takePasskeyStep, { headers, body: { challenge, credential } })
  const body = { password, code: recoveryCodes[0] }
  await callRoute(address, removePasskey, { token, params: { id: passkey.id }, body })
}
