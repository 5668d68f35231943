import {
  changePassword,
  forgotPassword,
  initiateRegistration,
  resendCodes,
  resetPassword,
  updateProfile,
  verifyRegistration,
} from '@portal/contracts/auth/http'
import { removeSecondFactor, takeSecondStep } from '@portal/contracts/auth/second-factor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { challengeOf, codeOf, enroll } from '@portal/auth/testing/second-factor'
import { until } from '@portal/platform/testing/until'

let portal: Harness
const secrets = new Set<string>()

/** Leaves every trace of a registration, its mistakes, a login, changes and a forgotten password. */
beforeAll(async () => {
  portal = await startHarness()
  const { personalEmail: email, mobileNumber } = applicant
  const contact = { email, mobileNumber }
  const admin = await portal.parts.auth.ensureFirstAdmin({ email: 'root.person@example.com' })
  portal.world.outage.sms = new Error(`550 no such number ${mobileNumber} for ${email}`)
  await portal.inject(initiateRegistration, { body: applicant })
  portal.world.outage.sms = undefined
  const initiated = await portal.inject(initiateRegistration, { body: applicant })
  const [, browserSecret = ''] = /=([^;]+)/.exec(String(initiated.headers['set-cookie'])) ?? []
  await portal.inject(verifyRegistration, { body: { ...contact, otpEmail: '987123' } })
  portal.world.passSeconds(30)
  await portal.call(resendCodes, { body: { ...contact, type: 'both' } })
  await portal.call(verifyRegistration, { body: { ...contact, ...portal.lastCodes() } })
  const { token, user } = await portal.logIn()
  await portal.call(updateProfile, { token, body: { fullName: 'Ashalata Verma-Rao' } })
  await portal.inject(updateProfile, { token, body: { fullName: '' } })

  const { challenge, ...secondFactor } = await useSecondFactor(token)
  for (const secret of [challenge, secondFactor.secret, ...secondFactor.codes]) secrets.add(secret)

  const newPasswords = { changed: 'Haystack-2026', reset: 'Solstice-2026', wrong: 'Wrong-guess-1' }
  const change = (currentPassword: string) =>
    portal.inject(changePassword, { token, body: { currentPassword, newPassword: newPasswords.changed } })
  await change(newPasswords.wrong)
  expect((await change(applicant.password)).statusCode).toBe(200)
  portal.world.outage.mail = new Error(`550 no such mailbox ${email}`)
  await portal.call(forgotPassword, { body: { personalEmail: email } })
  await until(() => expect(portal.world.log.join('')).toContain('failed to send reset link'))
  portal.world.outage.mail = undefined
  await portal.call(forgotPassword, { body: { personalEmail: email } })
  await until(() => expect(portal.world.mails.at(-1)?.link).toBeDefined())
  const resetToken = new URL(portal.world.mails.at(-1)?.link ?? '').searchParams.get('token') ?? ''
  const params = { token: resetToken }
  await portal.inject(resetPassword, { params, body: { password: 'short' } })
  await portal.call(resetPassword, { params, body: { password: newPasswords.reset } })
  await portal.inject(resetPassword, { params, body: { password: newPasswords.reset } })

  for (const secret of [...Object.values(newPasswords), browserSecret, resetToken, resetToken.slice(0, 43)])
    secrets.add(secret)
  for (const secret of Object.values(applicant)) secrets.add(secret)
  for (const { code } of [...portal.world.mails, ...portal.world.texts]) secrets.add(code ?? '')
  for (const secret of ['987123', 'Ashalata', 'root.person', '$argon2']) {
    secrets.add(secret)
  }
  for (const secret of [token, user.studentCode, admin?.password ?? '']) secrets.add(secret)
  secrets.delete(applicant.universityName)
})
afterAll(() => portal.stop())

/** Wrong, right and recovery codes, and turning it off. */
const useSecondFactor = async (token: string) => {
  const { password } = applicant
  const { secret, recoveryCodes } = await enroll(portal, token)
  portal.world.passSeconds(60)
  const code = codeOf(portal, secret)
  const { challenge, cookie } = await challengeOf(portal)
  const attempts = ['864209', code, recoveryCodes[0] ?? '']
  for (const attempt of attempts) await portal.inject(takeSecondStep, { cookie, body: { challenge, code: attempt } })
  await portal.call(removeSecondFactor, { token, body: { password, code: recoveryCodes[1] } })
  return { challenge, secret, codes: [...recoveryCodes, ...attempts] }
}

const found = (text: string): string[] => [...secrets].filter((secret) => secret !== '' && text.includes(secret))

test('finds the secrets to search for', () => {
  expect(secrets.size).toBeGreaterThan(15)
  expect(found(`${applicant.password} and ${portal.world.texts.at(-1)?.code}`)).toHaveLength(2)
})

test('[L-9] no code, password, hash, token, name, address or number is on disk in the clear', () => {
  const onDisk = portal.bytesOnDisk()
  expect(onDisk).toContain('RegistrationCompleted')
  expect(found(onDisk)).toEqual([])
})

test('none of them is in any event', async () => {
  const events = await portal.recorded()
  expect(events.length).toBeGreaterThan(10)
  expect(found(JSON.stringify(events))).toEqual([])
})

test('none of them is in the log', () => {
  const log = portal.world.log.join('')
  expect(log).toContain('failed to send verification code')
  expect(found(log)).toEqual([])
})

test('none of them is in the security log, which has client addresses', () => {
  const log = portal.world.securityLog.text()
  expect(log).toContain('"address":"192.0.2.1"')
  expect(log).toContain('"log":"security"')
  expect(found(log)).toEqual([])
})
