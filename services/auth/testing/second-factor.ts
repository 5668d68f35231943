import { beginTotp, confirmTotp } from '@portal/contracts/auth/second-factor'
import { logIn } from '@portal/contracts/auth/http'
import { applicant, type Harness } from './harness.ts'
import { totpCodeAt } from './totp-code.ts'

/** The code that an authenticator app shows `inSeconds` from now, by the clock of the test. */
export const codeOf = (portal: Harness, secret: string, inSeconds = 0): string =>
  totpCodeAt(secret, new Date(portal.world.clockAndIds.now().getTime() + inSeconds * 1_000))

/** Turns on two-step verification. Returns what the authenticator app and its user keep. */
export const enroll = async (
  portal: Harness,
  token: string,
  password: string = applicant.password,
): Promise<{ readonly secret: string; readonly uri: string; readonly recoveryCodes: readonly string[] }> => {
  const { secret, uri } = await portal.call(beginTotp, { token, body: { password } })
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
