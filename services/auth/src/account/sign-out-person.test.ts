import { changeRole, getPerson, signOutPerson } from '@portal/contracts/auth/accounts'
import { getProfile, logIn } from '@portal/contracts/auth/http'
import type { UserId } from '@portal/contracts/shared/ids'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loginRef } from '../user/projection.ts'

let portal: Harness
let root: { readonly token: string; readonly id: UserId }
const rootPassword = 'Banyan-2026'
beforeEach(async () => {
  portal = await startHarness()
  await portal.parts.auth.ensureFirstAdmin({ email: 'root@example.com', password: rootPassword })
  const { readModel, vault } = portal.parts
  await until(async () => expect(await readModel.get(loginRef(vault.index('email', 'root@example.com')))).toBeDefined())
  const { token, user } = await portal.logIn({ personalEmail: 'root@example.com', password: rootPassword })
  root = { token, id: user._id }
  await portal.register()
})
afterEach(() => portal.stop())

const phone =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const { personalEmail, password } = applicant
const logInWith = async (userAgent: string) =>
  (await portal.call(logIn, { body: { personalEmail, password }, headers: { 'user-agent': userAgent } })).data
const asRoot = (id: UserId, typed = rootPassword) => ({ token: root.token, params: { id }, body: { password: typed } })
const personOf = async (id: UserId) => (await portal.call(getPerson, { token: root.token, params: { id } })).person
const isOpen = async (token: string) => (await portal.inject(getProfile, { token })).statusCode === 200

test('a person has the devices where they are signed in, with first and last use and without addresses', async () => {
  const { user } = await logInWith('curl/8')
  portal.world.passSeconds(60)
  await logInWith(phone)
  const { sessions } = await personOf(user._id)
  const at = (time: string) => ({ startedAt: time, usedAt: time })
  expect(sessions).toEqual([
    { id: expect.any(String), device: 'Chrome on Android', ...at('2026-03-02T09:01:00.000Z') },
    { id: expect.any(String), device: 'A browser', ...at('2026-03-02T09:00:00.000Z') },
  ])
})

test('an admin signs a person out of all of them with the own password, and is named', async () => {
  const [first, second] = [await logInWith(phone), await logInWith('curl/8')]
  const id = first.user._id
  expect(await portal.refuse(signOutPerson, asRoot(id, 'Wrong-2026'))).toMatchObject({
    status: 400,
    errors: { password: 'Your current password is incorrect' },
  })
  expect(await portal.call(signOutPerson, asRoot(id))).toMatchObject({ message: 'Signed out of all devices' })
  expect([await isOpen(first.token), await isOpen(second.token), await isOpen(root.token)]).toEqual([
    false,
    false,
    true,
  ])
  expect(await personOf(id)).toMatchObject({
    sessions: [],
    history: [{ what: 'signed-out', by: 'Admin' }, { what: 'registered' }],
  })
  const ended = (await portal.recorded()).filter(({ type }) => type === 'SessionEnded')
  expect(ended).toMatchObject([{ data: { reason: 'signed-out' } }, { data: { reason: 'signed-out' } }])
  expect(portal.world.securityLog.events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'session-ended', code: 'signed-out', userId: id }),
      expect.objectContaining({ event: 'account-changed', result: 'ok', target: id, userId: root.id }),
    ]),
  )
  expect(await isOpen((await logInWith(phone)).token)).toBe(true)
})

test('another admin, too, but not from the own devices this way', async () => {
  const { user, token } = await logInWith(phone)
  await portal.call(changeRole, { ...asRoot(user._id), body: { role: 'admin', password: rootPassword } })
  expect(await portal.refuse(signOutPerson, asRoot(root.id))).toMatchObject({
    status: 409,
    message: 'Sign out your own devices in your profile.',
  })
  const again = await logInWith(phone)
  await portal.call(signOutPerson, asRoot(user._id))
  expect([await isOpen(token), await isOpen(again.token), await isOpen(root.token)]).toEqual([false, false, true])
})
