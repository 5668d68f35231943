import { beginTotp, confirmTotp } from '@portal/contracts/auth/second-factor'
import { logIn } from '@portal/contracts/auth/http'
import type { OwnFactors } from '@portal/contracts/auth/factor-proof'
import { applicant, type Harness } from './harness.ts'
import { totpCodeAt } from './totp-code.ts'

/** The code that an authenticator app shows `inSeconds` from now, by the clock of the test. */
export const codeOf = (portal: Harness, secret: string, inSeconds = 0): string =>
  totpCodeAt(secret, new Date(portal.world.clockAndIds.now().getTime() + inSeconds * 1_000))

/** Of the second factor, for a change of it. */
export type Proof = Omit<OwnFactors, 'password'>

/** Sets up an authenticator app. Returns what the app and its user keep. */
export const enroll = async (
  portal: Harness,
  token: string,
  password: string = applicant.password,
  proof: Proof = {},
): Promise<{ readonly secret: string; readonly uri: string; readonly recoveryCodes: readonly string[] }> => {
  const { secret, uri } = await portal.call(beginTotp, { token, body: { password, ...proof } })
  const { recoveryCodes } = await portal.call(confirmTotp, { token, body: { code: codeOf(portal, secret) } })
  return { secret, uri, recoveryCodes }
}

/** Sends the password. Returns the challenge of the answer, and the cookie that it is bound to. */
export const challengeOf = async (
  portal: Harness,
  { personalEmail, password }: Pick<typeof applicant, 'personalEmail' | 'password'> = applicant,
): Promise<{ readonly kind: string; readonly challenge: string; readonly cookie: string }> => {
  const response = await portal.inject(logIn, { body: { personalEmail, password } })
  const { secondStep } = response.json()
  const [cookie = ''] = String(response.headers['set-cookie']).split(';')
  return { ...secondStep, cookie }
}
