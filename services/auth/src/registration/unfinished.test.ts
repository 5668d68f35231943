import { initiateRegistration, verifyRegistration } from '@portal/contracts/auth/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { registrationEventSchema } from './events.ts'
import { readUnfinished } from './unfinished.ts'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const hourSeconds = 3_600
const unfinished = { ...applicant, personalEmail: 'bhavna@example.com', mobileNumber: '9123456780' }

const initiatedUsers = async () =>
  (await portal.recorded()).flatMap((recorded) => {
    const event = registrationEventSchema.safeParse(recorded).data
    return event?.type === 'RegistrationInitiated' ? [event.data.userId] : []
  })
const keyOf = (userId: string) => portal.parts.vault.encrypt(userId, 'x')
/** Restarts once the list has the registration, because the first round comes with the start. */
const restartAfter = async (seconds: number) => {
  const { vault, readModel } = portal.parts
  const bucket = bucketKey(vault.index('email', unfinished.personalEmail))
  const now = portal.world.clockAndIds.now()
  await until(async () => expect(await readUnfinished(readModel, bucket, now)).toHaveLength(1))
  portal.world.passSeconds(seconds)
  await portal.restart()
}
const expired = async () => (await portal.recorded()).filter(({ type }) => type === 'RegistrationExpired').length

test('the data of a registration that nobody completed is unreadable after a day; an account stays', async () => {
  await portal.register()
  await portal.call(initiateRegistration, { body: unfinished })
  const [registered = '', begun = ''] = await initiatedUsers()
  await restartAfter(23 * hourSeconds)
  await keyOf(begun)
  expect(await expired()).toBe(0)

  await restartAfter(hourSeconds)
  await until(() => expect(keyOf(begun)).rejects.toThrow('erased'))
  expect(await expired()).toBe(1)
  await keyOf(registered)
  await portal.logIn()

  portal.world.passSeconds(hourSeconds)
  await portal.restart({ namespace: 'rebuilt' })
  expect(await expired()).toBe(1)
  await portal.register(unfinished)
  await portal.logIn(unfinished)
})

test('its codes are useless once it has expired', async () => {
  await portal.call(initiateRegistration, { body: unfinished })
  const { otpEmail } = portal.lastCodes()
  await restartAfter(24 * hourSeconds)
  await until(async () => expect(await expired()).toBe(1))
  const { personalEmail: email, mobileNumber } = unfinished
  const body = { email, mobileNumber, otpEmail }
  expect(await portal.refuse(verifyRegistration, { body })).toMatchObject({ status: 400 })
})
