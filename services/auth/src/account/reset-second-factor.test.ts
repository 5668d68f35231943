import { changeRole, getPerson, resetSecondFactor } from '@portal/contracts/auth/accounts'
import { logIn } from '@portal/contracts/auth/http'
import type { UserId } from '@portal/contracts/shared/ids'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { challengeOf, enroll } from '@portal/auth/testing/second-factor'
import { loginRef } from '../user/projection.ts'

let portal: Harness
let root: { readonly token: string }
const rootPassword = 'Banyan-2026'
let learner: UserId
beforeEach(async () => {
  portal = await startHarness()
  await portal.parts.auth.ensureFirstAdmin({ email: 'root@example.com', password: rootPassword })
  const { readModel, vault } = portal.parts
  await until(async () => expect(await readModel.get(loginRef(vault.index('email', 'root@example.com')))).toBeDefined())
  root = await portal.logIn({ personalEmail: 'root@example.com', password: rootPassword })
  await portal.register()
  const { user, token } = await portal.logIn(applicant)
  learner = user._id
  await enroll(portal, token)
})
afterEach(() => portal.stop())

const asRoot = (body: object = { password: rootPassword }) => ({ token: root.token, params: { id: learner }, body })
const personOf = async () => (await portal.call(getPerson, asRoot())).person

test('lets a person who has lost the second factor in with the password, and names the admin', async () => {
  expect(await personOf()).toMatchObject({ hasSecondFactor: true, history: [{ what: 'registered' }] })
  expect(await challengeOf(portal)).toMatchObject({ kind: 'code' })
  expect(await portal.call(resetSecondFactor, asRoot())).toMatchObject({ message: 'Two-step verification turned off' })
  expect(await personOf()).toMatchObject({
    hasSecondFactor: false,
    history: [{ what: 'second-factor-reset', by: 'Admin' }, { what: 'registered' }],
  })
  const { personalEmail, password } = applicant
  expect(await portal.call(logIn, { body: { personalEmail, password } })).toMatchObject({ success: true })
  await portal.call(resetSecondFactor, asRoot())
  expect((await personOf()).history).toHaveLength(2)
})

test('takes the own password, and resets no admin', async () => {
  expect(await portal.refuse(resetSecondFactor, asRoot({ password: 'Wrong-2026' }))).toMatchObject({
    status: 400,
    message: 'Your current password is incorrect',
  })
  await portal.call(changeRole, asRoot({ role: 'admin', password: rootPassword }))
  expect(await portal.refuse(resetSecondFactor, asRoot())).toMatchObject({
    status: 409,
    message: 'Only an operator can reset the two-step verification of an admin, with make admin.',
  })
  expect(await personOf()).toMatchObject({ hasSecondFactor: true })
})
