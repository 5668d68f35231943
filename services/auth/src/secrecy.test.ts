import { initiateRegistration, resendCodes, updateProfile, verifyRegistration } from '@portal/contracts/auth/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from './testing/harness.ts'

let portal: Harness
const secrets = new Set<string>()

/** All that a registration, its mistakes, a log-in, a change and an erasure can leave behind. */
beforeAll(async () => {
  portal = await startHarness()
  const { personalEmail: email, mobileNumber } = applicant
  const contact = { email, mobileNumber }
  const admin = await portal.parts.auth.ensureFirstAdmin({ email: 'root.person@example.com' })
  await portal.parts.auth.seedLearners({ count: 3, password: 'Seeded-2026' })
  portal.world.outage.sms = new Error(`550 no such number ${mobileNumber} for ${email}`)
  await portal.inject(initiateRegistration, { body: applicant })
  portal.world.outage.sms = undefined
  await portal.call(initiateRegistration, { body: applicant })
  await portal.inject(verifyRegistration, { body: { ...contact, otpEmail: '987123' } })
  portal.world.passSeconds(30)
  await portal.call(resendCodes, { body: { ...contact, type: 'both' } })
  await portal.call(verifyRegistration, { body: { ...contact, ...portal.lastCodes() } })
  const { token, user } = await portal.logIn()
  await portal.call(updateProfile, { token, body: { fullName: 'Ashalata Verma-Rao' } })
  await portal.inject(updateProfile, { token, body: { fullName: '' } })

  for (const secret of Object.values(applicant)) secrets.add(secret)
  for (const { code } of [...portal.world.mails, ...portal.world.texts]) secrets.add(code ?? '')
  for (const secret of ['987123', 'Ashalata', 'root.person', 'learner-0001', 'Seeded-2026', '9000000001', '$argon2']) {
    secrets.add(secret)
  }
  for (const secret of [token, user.studentCode, admin?.password ?? '']) secrets.add(secret)
  secrets.delete(applicant.universityName)
})
afterAll(() => portal.stop())

const found = (text: string): string[] => [...secrets].filter((secret) => secret !== '' && text.includes(secret))

test('there is something to look for', () => {
  expect(secrets.size).toBeGreaterThan(15)
  expect(found(`${applicant.password} and ${portal.world.mails.at(-1)?.code}`)).toHaveLength(2)
})

test('no code, password, hash, token, name, address or number is on disk in the clear', () => {
  const onDisk = portal.bytesOnDisk()
  expect(onDisk).toContain('RegistrationCompleted')
  expect(found(onDisk)).toEqual([])
})

test('nor in any event', async () => {
  const events = await portal.recorded()
  expect(events.length).toBeGreaterThan(10)
  expect(found(JSON.stringify(events))).toEqual([])
})

test('nor in the log', () => {
  const log = portal.world.log.join('')
  expect(log).toContain('a code could not be sent')
  expect(found(log)).toEqual([])
})
