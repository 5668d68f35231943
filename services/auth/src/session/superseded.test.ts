import { type Harness, startHarness } from '@portal/auth/testing/harness'
import { maxSessions } from '@portal/contracts/auth/sessions'
import { getProfile } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newestSessions } from './projection.ts'
import { until } from '@portal/platform/testing/until'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness({ limits: { logInsPerEmail: { max: 1_000, windowMs: 3_600_000 } } })
  await portal.register()
})
afterEach(() => portal.stop())

test('a login beyond the limit ends the oldest session and keeps newer ones', async () => {
  const sessions: Awaited<ReturnType<Harness['logIn']>>[] = []
  for (let n = 0; n < maxSessions + 3; n++) sessions.push(await portal.logIn())
  const { readModel } = portal.parts
  const [first, ...later] = sessions
  const userId = first?.user._id
  if (!userId) throw new Error('nobody has logged in')
  // A login may run before the previous one is listed; the next one compensates.
  await until(async () => {
    await portal.logIn()
    expect(await newestSessions(readModel, userId, 1_000)).toHaveLength(maxSessions)
  })
  await until(async () => {
    expect(await portal.refuse(getProfile, { token: first.token })).toMatchObject({ status: 401 })
  })
  await portal.call(getProfile, { token: later.at(-1)?.token ?? '' })
  const reasons = (await portal.recorded())
    .filter(({ type }) => type === 'SessionEnded')
    .map(({ data }) => (data !== null && typeof data === 'object' && 'reason' in data ? data.reason : undefined))
  expect(new Set(reasons)).toEqual(new Set(['superseded']))
})
