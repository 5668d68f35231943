/** @module-tag verify */
import { setTimeout as pause } from 'node:timers/promises'
import { sendNotification } from '@portal/contracts/notifications/http'
import { scheduleLimits } from '@portal/contracts/notifications/schedule-limits'
import { listScheduledNotifications } from '@portal/contracts/notifications/scheduled-send'
import { until } from '@portal/platform/testing/until'
import { expect, test } from 'vitest'
import { callRoute, logIn, registerLearner, wholeInbox } from './testing/api-client.ts'
import { startDistributedPortal } from './testing/distributed-portal.ts'
import { admin, eventually } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

/** After a send became due, as the process that delivers sees it. */
const killAfterMs = [0, 20, 200]
/** Longer than another process needs to lead. */
const betweenMs = 10_000

test('sends that fall due while the process that delivers is killed go once', { timeout: 400_000 }, async () => {
  const portal = await startDistributedPortal(testEngines())
  try {
    const { address } = portal
    const { token } = await logIn(address, admin.email, admin.password)
    const learner = await registerLearner(portal, 1)
    const firstMs = Date.now() + scheduleLimits.aheadMs + 5_000
    const sends = killAfterMs.map((ms, n) => ({ title: `Killed after ${ms} ms`, ms, dueMs: firstMs + n * betweenMs }))
    for (const { title, dueMs } of sends) {
      const sendAt = new Date(dueMs).toISOString()
      const body = { userIds: [learner.userId], title, message: 'Are due', type: 'General', sendAt }
      await callRoute(address, sendNotification, { token, body })
    }
    for (const { ms, dueMs } of sends) {
      await pause(Math.max(0, dueMs + ms - Date.now()))
      const pid = await portal.pidOf('delivery')
      await portal.kill('delivery')
      await portal.waitForRestart('delivery', pid)
    }
    const scheduled = async () => (await callRoute(address, listScheduledNotifications, { token })).scheduled
    await eventually('all have gone', async () => (await scheduled()).length === 0, 60_000)
    const titles = async () => (await wholeInbox(address, learner.token)).items.map(({ title }) => title)
    await until(async () => expect((await titles()).toSorted()).toEqual(sends.map(({ title }) => title).toSorted()))
  } finally {
    await portal.stop()
  }
})
