import { getProfile } from '@portal/contracts/auth/http'
import { listSessions } from '@portal/contracts/auth/sessions'
import { unattendedHeader } from '@portal/contracts/shared/unattended'
import { until } from '@portal/platform/testing/until'
import { type Harness, startHarness } from '@portal/auth/testing/harness'
import { afterEach, beforeEach, expect, test } from 'vitest'

const hour = 60 * 60
const hourMs = hour * 1_000

let portal: Harness
beforeEach(async () => {
  portal = await startHarness({ sessionIdle: { learnersMs: 24 * hourMs, adminsMs: hourMs } })
  await portal.register()
})
afterEach(() => portal.stop())

const statusOf = async (token: string, headers = {}): Promise<number> =>
  (await portal.inject(getProfile, { token, headers })).statusCode
/** Requests do not wait for the record. */
const expectUses = (count: number) => until(async () => expect(await recordedOf('SessionUsed')).toHaveLength(count))
const recordedOf = async (type: string) => (await portal.recorded()).filter((event) => event.type === type)

test('a session that nobody used for a day is refused, and ends for good', async () => {
  const { token } = await portal.logIn()
  portal.world.passSeconds(24 * hour - 1)
  expect(await statusOf(token)).toBe(200)
  await expectUses(1)
  portal.world.passSeconds(24 * hour)
  expect(await statusOf(token)).toBe(401)
  await until(async () => expect(await recordedOf('SessionEnded')).toMatchObject([{ data: { reason: 'idle' } }]))
  await portal.restart()
  expect(await statusOf(token)).toBe(401)
  expect(portal.world.securityLog.events).toContainEqual(
    expect.objectContaining({ event: 'session-ended', result: 'ok', code: 'idle' }),
  )
})

test('uses are recorded two hours apart, survive a restart, and are in the list', async () => {
  const { token } = await portal.logIn()
  for (let n = 1; n <= 6; n++) {
    portal.world.passSeconds(hour)
    expect(await statusOf(token)).toBe(200)
    await expectUses(Math.floor(n / 2))
  }
  await portal.restart()
  portal.world.passSeconds(23 * hour)
  const { sessions } = await portal.call(listSessions, { token })
  expect(sessions).toMatchObject([{ startedAt: '2026-03-02T09:00:00.000Z', usedAt: '2026-03-02T15:00:00.000Z' }])
})

test('calls that a page makes while nobody is at it are no use, and an idle session is not listed', async () => {
  const { token } = await portal.logIn()
  for (let n = 0; n < 23; n++) {
    portal.world.passSeconds(hour)
    expect(await statusOf(token, { [unattendedHeader]: '1' })).toBe(200)
  }
  portal.world.passSeconds(hour)
  expect(await statusOf(token, { [unattendedHeader]: '1' })).toBe(401)
  expect(await recordedOf('SessionUsed')).toEqual([])
  const other = await portal.logIn()
  expect((await portal.call(listSessions, { token: other.token })).sessions).toHaveLength(1)
})
