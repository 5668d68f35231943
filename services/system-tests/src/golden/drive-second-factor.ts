import { totpCodeAt } from '@portal/auth/testing/totp-code'
import { logIn } from '@portal/contracts/auth/http'
import { beginTotp, confirmTotp, removeSecondFactor, takeSecondStep } from '@portal/contracts/auth/second-factor'
import { problemSchema } from '@portal/contracts/shared/problem'
import { callRoute, type SignedIn } from '../testing/api-client.ts'

type Person = { readonly email: string; readonly password: string }

const logInWith = async (address: string, { email, password }: Person, code: string): Promise<void> => {
  const response = await fetch(`${address}${logIn.path}`, {
    method: logIn.method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ personalEmail: email, password }),
    signal: AbortSignal.timeout(30_000),
  })
  const { secondStep } = problemSchema.parse(await response.json())
  const [cookie = ''] = response.headers.getSetCookie().map((header) => header.split(';')[0] ?? '')
  await callRoute(address, takeSecondStep, { headers: { cookie }, body: { challenge: secondStep?.challenge, code } })
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
  await callRoute(address, removeSecondFactor, { token, body: { password } })
}
