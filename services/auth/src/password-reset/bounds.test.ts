import { forgotPassword, logIn, resetPassword, resetPasswordByBody } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { emailIndexOf, revisionOf } from './reset-token.ts'
import { until } from '@portal/platform/testing/until'

const hourMs = 3_600_000
const newPassword = 'Haystack-2026'
const { personalEmail } = applicant

let portal: Harness
beforeEach(async () => {
  portal = await startHarness({
    limits: {
      passwordResetsPerAddress: { max: 5, windowMs: hourMs },
      resetLinksPerAddress: { max: 1_000, windowMs: hourMs },
      resetLinksPerEmailAndAddress: { max: 1_000, windowMs: hourMs },
    },
  })
  await portal.register()
})
afterEach(() => portal.stop())

const links = () =>
  portal.world.mails.flatMap(({ link }) => (link === undefined ? [] : (new URL(link).searchParams.get('token') ?? [])))
const ask = async () => {
  await portal.call(forgotPassword, { body: { personalEmail } })
}
const askAndReceive = async () => {
  const before = links().length
  await ask()
  await until(() => expect(links()).toHaveLength(before + 1))
  return links().at(-1) ?? ''
}

test('accepts the token in the body, where no access log records it', async () => {
  const token = await askAndReceive()
  await portal.call(resetPasswordByBody, { body: { token, password: newPassword } })
  await portal.call(logIn, { body: { personalEmail, password: newPassword } })
  expect(await portal.refuse(resetPassword, { params: { token }, body: { password: newPassword } })).toMatchObject({
    status: 400,
  })
  expect(await portal.refuse(resetPasswordByBody, { body: { password: newPassword } })).toMatchObject({ status: 400 })
})

test('limits wrong tokens per address, and valid ones do not count', async () => {
  const attempt = async (token: string, address = '198.51.100.1') =>
    (await portal.inject(resetPasswordByBody, { body: { token, password: newPassword }, address })).statusCode
  expect(await attempt(await askAndReceive())).toBe(200)
  for (let n = 0; n < 5; n++) expect(await attempt('x'.repeat(86))).toBe(400)
  expect(await attempt('x'.repeat(86))).toBe(429)
  expect(await attempt('x'.repeat(86), '198.51.100.2')).toBe(400)
  portal.world.passSeconds(hourMs / 1_000)
  expect(await attempt('x'.repeat(86))).toBe(400)
})

test('few links are valid at once', async () => {
  const first = await askAndReceive()
  for (let n = 0; n < 20; n++) await ask()
  await until(() => expect(links()).toHaveLength(3))
  portal.world.passSeconds(30 * 60 - 1)
  for (let n = 0; n < 20; n++) await ask()
  expect(links()).toHaveLength(3)
  await portal.call(resetPasswordByBody, { body: { token: first, password: newPassword } })
})

test('a link costs the same, however many were requested before', async () => {
  const { eventStore } = portal.parts
  for (let n = 0; n < 40; n++) {
    await ask()
    portal.world.passSeconds(30 * 60)
  }
  await until(() => expect(links()).toHaveLength(40))
  const token = await askAndReceive()
  const reads: (number | undefined)[] = []
  const read = eventStore.read.bind(eventStore)
  vi.spyOn(eventStore, 'read').mockImplementation((stream, from) => {
    if (stream === `reset-${emailIndexOf(token)}`) reads.push(from)
    return read(stream, from)
  })
  await ask()
  expect(reads).toEqual([])
  await portal.call(resetPasswordByBody, { body: { token, password: newPassword } })
  expect(revisionOf(token)).toBe(40)
  expect(new Set(reads)).toEqual(new Set([40]))
})

test('a reset remembers the device and is recorded in the security log', async () => {
  const { user } = await portal.logIn()
  const token = await askAndReceive()
  const response = await portal.inject(resetPasswordByBody, { body: { token, password: newPassword } })
  expect(String(response.headers['set-cookie'])).toContain('portal_device=')
  const events = portal.world.securityLog.events.map(({ event, result }) => `${event} ${result}`)
  expect(events).toEqual(expect.arrayContaining(['password-reset-requested ok', 'password-reset ok']))
  const ended = portal.world.securityLog.events.filter(({ event }) => event === 'session-ended')
  expect(ended).toMatchObject([{ result: 'ok', code: 'password-reset', userId: user._id }])
  expect(portal.world.securityLog.text()).not.toContain(token)
})
