/** @module-tag verify */
import { totpCodeAt } from '@portal/auth/testing/totp-code'
import * as auth from '@portal/contracts/auth/http'
import { invite } from '@portal/contracts/auth/invitations'
import { beginTotp, confirmTotp, takeSecondStep } from '@portal/contracts/auth/second-factor'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callRoute, logIn, registeredPassword, registerLearner, send, type SignedIn } from './testing/api-client.ts'
import { type DistributedPortal, startDistributedPortal } from './testing/distributed-portal.ts'
import { admin as adminAccount, readDevMailbox } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

let portal: DistributedPortal
let admin: SignedIn

beforeAll(async () => {
  portal = await startDistributedPortal(testEngines())
  admin = await logIn(portal.address, adminAccount.email, adminAccount.password)
}, 150_000)
afterAll(async () => void expect(await portal?.stop()).toBe(0), 60_000)

const newPassword = 'Marigold-Lantern-41'

/** The token of the newest link that was mailed to the address. */
const mailedToken = (email: string): Promise<string> =>
  until(async () => {
    const [mail] = (await readDevMailbox(portal.dataDir)).filter(({ to, link }) => to === email && link !== undefined)
    return z.string().parse(new URL(mail?.link ?? '').searchParams.get('token'))
  })

const isSignedIn = async ({ token }: SignedIn): Promise<boolean> =>
  (await send(portal.address, 'GET', auth.getProfile.path, { token })).status === 200

const challengeSchema = z.object({ secondStep: z.object({ challenge: z.string() }) })

/** Logs in with the password, then with the code, in the browser that got the cookie of the first step. */
const logInWithCode = async ({ email }: SignedIn, code: string) => {
  const { address } = portal
  const first = await fetch(`${address}${auth.logIn.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personalEmail: email, password: registeredPassword }),
    signal: AbortSignal.timeout(20_000),
  })
  expect(first.status).toBe(401)
  const { challenge } = challengeSchema.parse(await first.json()).secondStep
  const [cookie = ''] = String(first.headers.get('set-cookie')).split(';')
  return callRoute(address, takeSecondStep, { headers: { cookie }, body: { challenge, code } })
}

describe('accounts in the portal as separate processes', () => {
  it('the link of an invitation makes an account of the role, which can be used at once', async () => {
    const { address } = portal
    const email = 'faculty@example.com'
    const body = { fullName: 'Asha Rao', personalEmail: email, role: 'faculty' }
    await callRoute(address, invite, { token: admin.token, body })
    const params = { token: await mailedToken(email) }
    await callRoute(address, auth.resetPassword, { params, body: { password: newPassword } })
    const { token } = await logIn(address, email, newPassword)
    const { user } = await callRoute(address, auth.getProfile, { token })
    expect(user).toMatchObject({ fullName: 'Asha Rao', role: 'faculty' })
  })

  it('a mailed link replaces a forgotten password and ends the sessions at both gateways', async () => {
    const { address } = portal
    const learner = await registerLearner(portal, 1)
    await callRoute(address, auth.forgotPassword, { body: { personalEmail: learner.email } })
    const params = { token: await mailedToken(learner.email) }
    await callRoute(address, auth.resetPassword, { params, body: { password: newPassword } })
    const signedIn = await Promise.all(Array.from({ length: 4 }, () => isSignedIn(learner)))
    expect(signedIn).toEqual([false, false, false, false])
    const renewed = await logIn(address, learner.email, newPassword)
    expect(await isSignedIn(renewed)).toBe(true)
  })

  it('a second step takes the code of an authenticator app, or a recovery code once', async () => {
    const { address } = portal
    const learner = await registerLearner(portal, 2)
    const { token } = learner
    const { secret } = await callRoute(address, beginTotp, { token, body: { password: registeredPassword } })
    const now = Date.now()
    const codeAt = (ms: number): string => totpCodeAt(secret, new Date(now + ms))
    const { recoveryCodes } = await callRoute(address, confirmTotp, { token, body: { code: codeAt(0) } })
    // The current code was used for the set-up. The next one is taken half a minute early.
    expect((await logInWithCode(learner, codeAt(30_000))).data.user._id).toBe(learner.userId)
    const [recoveryCode = ''] = recoveryCodes
    expect((await logInWithCode(learner, recoveryCode)).data.user._id).toBe(learner.userId)
    await expect(logInWithCode(learner, recoveryCode)).rejects.toThrow('This code is not right')
  })
})
