import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { logIn } from '@portal/contracts/auth/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Json } from '@portal/platform/event-store/port'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loginRef, loginSchema } from '../user/projection.ts'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
})
afterEach(() => portal.stop())

const emailIndexOf = (email: string) => portal.parts.vault.index('email', email)
const storedLogin = async (email = applicant.personalEmail) =>
  loginSchema.parse(await portal.parts.readModel.get(loginRef(emailIndexOf(email))))
const tryLogIn = ({ personalEmail, password } = applicant) =>
  portal.inject(logIn, { body: { personalEmail, password } })

/** Writes to the read model directly, as an attacker with access to it would. */
const overwrite = async (email: string, value: Json) => {
  const { readModel } = portal.parts
  const emailIndex = emailIndexOf(email)
  const partition = bucketKey(emailIndex)
  const expected = await readModel.position('tampering', partition)
  const position = String(Number(expected ?? '0') + 1).padStart(12, '0')
  const writes = [{ op: 'put', collection: 'login', key: emailIndex, value }] as const
  await readModel.commit({ projection: 'tampering', partition, expected, position, writes })
}

const expectRefused = async () => {
  const refused = await tryLogIn()
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect((await portal.recorded()).filter(({ type }) => type === 'SessionStarted')).toEqual([])
}

test('a token never gets a role that was written into the read model', async () => {
  await overwrite(applicant.personalEmail, { ...(await storedLogin()), role: 'admin' })
  await expectRefused()
  expect(portal.world.log.join('')).toContain('login read model contradicts the log, rejecting login')
})

test('rejects a login document that was moved to the address of another account', async () => {
  const other = { ...applicant, personalEmail: 'other@example.com', mobileNumber: '9876501235' }
  await portal.register({ ...other, password: 'Afterwards-2026' })
  await overwrite(applicant.personalEmail, await storedLogin(other.personalEmail))
  const { personalEmail } = applicant
  const refused = await portal.inject(logIn, { body: { personalEmail, password: 'Afterwards-2026' } })
  expect(refused.statusCode).toBe(503)
})

test('a corrupt read model rejects the login without counting a wrong password', async () => {
  const before = await storedLogin()
  await overwrite(applicant.personalEmail, { nothing: 'that fits' })
  for (let n = 0; n < 12; n++) expect((await tryLogIn()).statusCode).toBe(503)
  await overwrite(applicant.personalEmail, { ...before })
  expect((await tryLogIn()).statusCode).toBe(200)
})
