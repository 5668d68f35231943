import { randomUUID } from 'node:crypto'
import { resetSecondFactor as resetSecondFactorRoute } from '@portal/contracts/auth/accounts'
import { changePassword, forgotPassword, logIn, resetPassword } from '@portal/contracts/auth/http'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { removePasskey } from '@portal/contracts/auth/passkeys'
import { beginTotp, issueRecoveryCodes, removeSecondFactor } from '@portal/contracts/auth/second-factor'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { until } from '@portal/platform/testing/until'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { addPasskeyOf, newAuthenticator } from '@portal/auth/testing/passkeys'
import { enroll } from '@portal/auth/testing/second-factor'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultAuthLimits } from '../auth-limits.ts'
import { resetSecondFactor } from '../second-factor/second-factor-stream.ts'
import { userDecider } from '../user/decider.ts'
import { loginRef } from '../user/projection.ts'

const { newDeviceNoticesPerUser, changeNoticesPerUser } = defaultAuthLimits
const options = {
  limits: { newDeviceNoticesPerUser, changeNoticesPerUser },
  linkSenderOptions: { retryDelaysMs: Array<number>(2_000).fill(5) },
}
const { personalEmail, password } = applicant
const phone =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness(options)
  await portal.register()
})
afterEach(() => portal.stop())

const notices = () => portal.world.mails.filter(({ text }) => text.includes('/profile/sessions'))
const expectSubjects = (...subjects: string[]) =>
  until(() => expect(notices().map(({ subject }) => subject)).toEqual(subjects))
const logInWith = (headers = {}, cookie?: string) =>
  portal.inject(logIn, { body: { personalEmail, password }, headers, ...(cookie !== undefined && { cookie }) })
const userIdOf = async () => userIdSchema.parse((await portal.logIn()).user._id)
const makeAdmin = async (userId: string) => {
  const { eventStore, vault } = portal.parts
  const id = userIdSchema.parse(userId)
  const credential = encryptedTextSchema.parse(await vault.encrypt(id, 'hash'))
  const command = { type: 'MakeAdmin', credential, by: 'operator' } as const
  await handleCommand(eventStore, userDecider, id, command, { eventId: () => randomUUID() })
}

describe('a login', () => {
  test('with a new device is told to the owner, but not the first one, nor one with a known device', async () => {
    const first = await logInWith()
    await logInWith({ 'user-agent': phone })
    await expectSubjects('New login to your account')
    const [mail] = notices()
    expect(mail).toMatchObject({ to: personalEmail })
    expect(mail?.text).toContain('Chrome on Android, on 2 March 2026 at 09:00 UTC')
    expect(mail?.text).not.toMatch(/Mozilla|140\.0/)
    const device = /__Host-portal_device=[^;]+/.exec(String(first.headers['set-cookie']))?.[0] ?? ''
    await logInWith({ host: 'portal.example', origin: 'https://portal.example' }, device)
    await logInWith({ 'user-agent': phone })
    await expectSubjects('New login to your account', 'New login to your account')
  })

  test('is told five times a day at most', async () => {
    for (let n = 0; n < 9; n++) await logInWith()
    const { token } = await portal.logIn()
    const body = { currentPassword: password, newPassword: 'Quiet-Harbor-77' }
    await portal.call(changePassword, { token, body })
    await expectSubjects(...Array<string>(5).fill('New login to your account'), 'Your password was changed')
  })
})

test('a reset password, and what `make admin` changes, are told to the owner', async () => {
  await portal.call(forgotPassword, { body: { personalEmail } })
  await until(() => expect(portal.world.mails.at(-1)?.link).toBeDefined())
  const token = new URL(portal.world.mails.at(-1)?.link ?? '').searchParams.get('token') ?? ''
  await portal.call(resetPassword, { params: { token }, body: { password } })
  await expectSubjects('Your password was reset')
  await makeAdmin(await userIdOf())
  await expectSubjects('Your password was reset', 'Your password was reset', 'Your role was changed')
  expect(notices().at(-1)?.text).toContain('you are an admin in the portal')
})

describe('two-step verification', () => {
  const appSetUp = 'An authenticator app was set up for your account'
  const turnedOff = 'Two-step verification was turned off'

  test('each change of it is told to the owner once', async () => {
    const { token } = await portal.logIn()
    const confirmedBy = (code: string | undefined) => ({ token, body: { password, code } })
    const { recoveryCodes } = await enroll(portal, token)
    const [first, second, third, fourth] = recoveryCodes
    const { passkey } = await addPasskeyOf(portal, token, newAuthenticator(), password, { code: first })
    await portal.call(removePasskey, { ...confirmedBy(second), params: { id: passkey.id } })
    const renewed = await portal.call(issueRecoveryCodes, confirmedBy(third))
    await portal.refuse(removeSecondFactor, confirmedBy(fourth))
    await portal.call(removeSecondFactor, confirmedBy(renewed.recoveryCodes[0]))
    const added = await addPasskeyOf(portal, token, newAuthenticator())
    await portal.call(removePasskey, { ...confirmedBy(added.recoveryCodes[0]), params: { id: added.passkey.id } })
    const passkeyAdded = 'A passkey was added to your account'
    await expectSubjects(
      appSetUp,
      passkeyAdded,
      'A passkey was removed from your account',
      'New recovery codes for your account',
      turnedOff,
      passkeyAdded,
      turnedOff,
    )
    const [, mail] = notices()
    expect(mail?.text).toContain('A passkey was added to your account on 2 March 2026 at 09:00 UTC, with A browser.')
    expect(mail?.text).toContain('https://portal.example/profile/security')
  })

  test('an admin or operator who turns it off is named as such, but nothing is said if it was off', async () => {
    const root = { personalEmail: 'root@example.com', password: 'Banyan-2026' }
    await portal.parts.auth.ensureFirstAdmin({ email: root.personalEmail, password: root.password })
    const { readModel, vault, eventStore } = portal.parts
    await until(async () =>
      expect(await readModel.get(loginRef(vault.index('email', root.personalEmail)))).toBeDefined(),
    )
    const { token, user } = await portal.logIn()
    const userId = userIdSchema.parse(user._id)
    await portal.call(beginTotp, { token, body: { password } })
    await resetSecondFactor(eventStore, { userId, by: 'operator', grantId: 'first' })
    await enroll(portal, token)
    const { token: admin } = await portal.logIn(root)
    const body = { password: root.password }
    await portal.call(resetSecondFactorRoute, { token: admin, params: { id: userId }, body })
    await enroll(portal, token)
    await resetSecondFactor(eventStore, { userId, by: 'operator', grantId: 'second' })
    await expectSubjects(appSetUp, turnedOff, appSetUp, turnedOff)
    const texts = notices().map(({ text }) => text.split(' on ')[0])
    expect([texts[1], texts[3]]).toEqual([
      'An admin turned off two-step verification of your account',
      'The operator of the portal turned off two-step verification of your account',
    ])
  })
})

describe('what is not news', () => {
  const record = async () => {
    const userId = await userIdOf()
    await portal.restart({ ...options, runs: false })
    await makeAdmin(userId)
  }

  test('a change just before a crash is told after the next start, and by no later start or rebuild', async () => {
    await record()
    portal.world.passSeconds(10 * 60)
    await portal.restart(options)
    await expectSubjects('Your password was reset', 'Your role was changed')
    portal.world.passSeconds(2 * 60 * 60)
    await portal.restart({ ...options, namespace: 'rebuilt' })
    await portal.register({ ...applicant, personalEmail: 'ravi@example.com', mobileNumber: '9876501235' })
    expect(notices()).toHaveLength(2)
  })

  test('a change of more than a day ago is not told', async () => {
    await record()
    portal.world.passSeconds(24 * 60 * 60)
    await portal.restart(options)
    await portal.register({ ...applicant, personalEmail: 'ravi@example.com', mobileNumber: '9876501235' })
    await portal.logIn({ personalEmail: 'ravi@example.com', password })
    await portal.logIn({ personalEmail: 'ravi@example.com', password })
    await expectSubjects('New login to your account')
    expect(notices()[0]?.to).toBe('ravi@example.com')
  })
})

test('a mail that the provider rejects is sent again; the log has no address', async () => {
  await logInWith()
  portal.world.outage.mail = new Error(`550 ${personalEmail} is busy`)
  await logInWith({ 'user-agent': phone })
  await until(() => expect(portal.world.log.join('')).toContain('failed to send account notice'))
  portal.world.outage.mail = undefined
  await expectSubjects('New login to your account')
  expect(portal.world.log.join('')).not.toContain(personalEmail)
})

test('a mail of which the server cannot be reached is sent when it can, however long that takes', async () => {
  await portal.restart({ ...options, linkSenderOptions: { retryDelaysMs: [5, 5] } })
  await logInWith()
  portal.world.outage.mail = new Error('connect ECONNREFUSED')
  await logInWith({ 'user-agent': phone })
  await until(() =>
    expect(portal.world.log.filter((line) => line.includes('failed to send account notice')).length).toBeGreaterThan(5),
  )
  portal.world.outage.mail = undefined
  await expectSubjects('New login to your account')
})

test('a mail that waits for its provider ends with the account', async () => {
  const userId = await userIdOf()
  portal.world.outage.mail = new Error('451 try later')
  await logInWith({ 'user-agent': phone })
  await until(() => expect(portal.world.log.join('')).toContain('failed to send account notice'))
  await portal.parts.auth.eraseUser(userId)
  portal.world.outage.mail = undefined
  const ravi = { ...applicant, personalEmail: 'ravi@example.com', mobileNumber: '9876501235' }
  await portal.register(ravi)
  await portal.logIn(ravi)
  await portal.logIn(ravi)
  await until(() => expect(notices().filter(({ to }) => to === ravi.personalEmail)).toHaveLength(1))
  expect(notices().filter(({ to }) => to === personalEmail)).toEqual([])
})
