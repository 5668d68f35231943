/** @module-tag verify */
import { setTimeout as pause } from 'node:timers/promises'
import { listNotifications, listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { listScheduledNotifications } from '@portal/contracts/notifications/scheduled-send'
import { scheduleLimits } from '@portal/contracts/notifications/schedule-limits'
import { freePort } from '@portal/engines/free-port'
import { until } from '@portal/platform/testing/until'
import { afterEach, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail } from './testing/api-client.ts'
import { admin, newDataFolder, type PortalProcess, seedLearners, startPortal } from './testing/portal-process.ts'

const learnerCount = 200
/** After a send became due, as the process sees it. */
const killAfterMs = [0, 2, 5, 10, 15, 20, 30, 50, 80, 200]
/** Longer than a restart takes. */
const betweenMs = 4_000
const never = '600000'

const cleanUps: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

test('sends that fall due while the portal is killed at ten moments go once', { timeout: 300_000 }, async () => {
  const { path: dataDir, remove } = await newDataFolder()
  cleanUps.push(remove)
  const password = await seedLearners(dataDir, learnerCount)
  const port = await freePort()
  const start = () => startPortal({ dataDir, port, settings: { SEEN_GRACE_MS: never } })
  let portal: PortalProcess = await start()
  cleanUps.push(() => portal.kill())
  const { address } = portal
  const { token } = await logIn(address, admin.email, admin.password)
  const learner = await logIn(address, seededEmail(1), password)
  const firstMs = Date.now() + scheduleLimits.aheadMs + 5_000
  const dueMs = killAfterMs.map((_, n) => firstMs + n * betweenMs)
  const titles = killAfterMs.map((ms) => `Killed after ${ms} ms`)
  for (const [n, title] of titles.entries()) {
    const sendAt = new Date(dueMs[n] ?? 0).toISOString()
    const body = { audience: { roles: ['student' as const] }, title, message: 'Are due', sendAt }
    await callRoute(address, sendNotification, { token, body })
  }
  for (const [n, ms] of killAfterMs.entries()) {
    await pause(Math.max(0, (dueMs[n] ?? 0) + ms - Date.now()))
    await portal.kill()
    portal = await start()
  }
  await until(
    async () => expect((await callRoute(address, listScheduledNotifications, { token })).scheduled).toEqual([]),
    { timeoutMs: 60_000 },
  )
  const query = { page: 1, limit: 100 }
  const inbox = () => callRoute(address, listNotifications, { token: learner.token, query })
  await until(async () => expect((await inbox()).notifications).toHaveLength(titles.length))
  expect((await inbox()).notifications.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  const { notifications: sent } = await callRoute(address, listRecentNotifications, { token, query })
  const reached = sent.map((item) => ('progress' in item ? item.progress.targeted : 0))
  expect(reached).toEqual(titles.map(() => learnerCount))
})
