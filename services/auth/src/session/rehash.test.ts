import { applicant, type Harness, lowCost, startHarness } from '@portal/auth/testing/harness'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loginRef, loginSchema } from '../user/projection.ts'
import { until } from '@portal/platform/testing/until'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
})
afterEach(() => portal.stop())

const storedHash = async () => {
  const { vault, readModel } = portal.parts
  const { userId, credential } = loginSchema.parse(
    await readModel.get(loginRef(vault.index('email', applicant.personalEmail))),
  )
  return vault.decrypt(userId, credential)
}
const recordedTypes = async () => (await portal.recorded()).map(({ type }) => type)

test('rehashes a password at the first login after the cost was raised, and at no other', async () => {
  await portal.logIn()
  expect(await storedHash()).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
  expect(await recordedTypes()).not.toContain('UserCredentialRehashed')

  await portal.restart({ passwordHashing: { cost: { ...lowCost, timeCost: 2 } } })
  await portal.logIn()
  const isHashedAnew = async () => expect(await storedHash()).toMatch(/^\$argon2id\$v=19\$m=1024,t=2,p=1\$/)
  await until(isHashedAnew)
  await portal.logIn()
  expect((await recordedTypes()).filter((type) => type === 'UserCredentialRehashed')).toHaveLength(1)
})

test('concurrent logins rehash it once', async () => {
  await portal.restart({ passwordHashing: { cost: { ...lowCost, timeCost: 2 } } })
  await Promise.all(Array.from({ length: 4 }, () => portal.logIn()))
  expect((await recordedTypes()).filter((type) => type === 'UserCredentialRehashed')).toHaveLength(1)
})
