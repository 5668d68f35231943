/** @module-tag verify */
import { setTimeout as pause } from 'node:timers/promises'
import {
  getNotification,
  listRecentNotifications,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { withdrawnTitle } from '@portal/contracts/notifications/notification'
import { freePort } from '@portal/engines/free-port'
import { until } from '@portal/platform/testing/until'
import { afterEach, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail, userIdsByEmail, wholeInbox } from './testing/api-client.ts'
import { caughtUp, connectInbox, type InboxClient } from './testing/inbox-client.ts'
import { admin, newDataFolder, type PortalProcess, seedLearners, startPortal } from './testing/portal-process.ts'

/** Kills the portal during recalls. A retry gets the answer, and every open tab ends without the text. */
const learnerCount = 300
const connectedCount = 3
const killAfterMs = [0, 5, 15, 40, 120]

const cleanUps: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A tab of each learner, and another one that was built before recalls. */
const connectLearners = async (address: string, password: string) => {
  const learners: { readonly token: string; readonly tabs: readonly InboxClient[] }[] = []
  for (let n = 1; n <= connectedCount; n++) {
    const { token } = await logIn(address, seededEmail(n), password)
    const tabs = [await connectInbox({ address, token }), await connectInbox({ address, token, features: [] })]
    cleanUps.push(() => tabs.forEach((tab) => tab.close()))
    learners.push({ token, tabs })
  }
  return learners
}

test('a recall that a crash interrupts empties every inbox, and a retry says so', async () => {
  const dataFolder = await newDataFolder()
  cleanUps.push(dataFolder.remove)
  const password = await seedLearners(dataFolder.path, learnerCount)
  const port = await freePort()
  const start = () => startPortal({ dataDir: dataFolder.path, port })
  let portal: PortalProcess = await start()
  cleanUps.push(() => portal.kill())
  const { address } = portal
  const { token } = await logIn(address, admin.email, admin.password)
  const learners = await connectLearners(address, password)
  const userIds = [...(await userIdsByEmail(address, token)).values()]

  const recalled: string[] = []
  for (const [index, delayMs] of killAfterMs.entries()) {
    const body = { userIds, title: `Exam ${index}`, message: 'Text that must go' }
    const { notificationId: id } = await callRoute(address, sendNotification, { token, body })
    recalled.push(id)
    const recall = () => callRoute(address, recallNotification, { token, params: { id }, body: {} })
    const interrupted = recall().catch(() => undefined)
    await pause(delayMs)
    await portal.kill()
    portal = await start()
    await interrupted
    // An answer waits only for a limited time until it has gone from every inbox.
    const recalledCount = userIds.length
    const answer = { message: `Withdrawn from ${recalledCount} inboxes.`, recalled: recalledCount }
    await until(async () => expect(await recall()).toMatchObject(answer))
    expect(await recall()).toMatchObject(answer)
  }
  const kept = await callRoute(address, sendNotification, { token, body: { userIds, title: 'Stays', message: 'Text' } })

  for (const { token: learner, tabs } of learners) {
    const inbox = await until(async () => {
      const whole = await wholeInbox(address, learner)
      expect(whole.items.map(({ title }) => title)).toEqual(['Stays', ...recalled.map(() => withdrawnTitle)])
      return whole
    })
    expect(JSON.stringify(inbox.items)).not.toContain('must go')
    for (const tab of tabs) {
      await caughtUp(tab, inbox)
      expect(tab.items()).toEqual(inbox.items)
      expect(tab.unread()).toBe(1)
    }
    for (const id of recalled)
      await expect(callRoute(address, getNotification, { token: learner, params: { id } })).rejects.toThrow('404')
  }

  const query = { page: 1, limit: 20 }
  const notifications = await until(async () => {
    const { notifications: page } = await callRoute(address, listRecentNotifications, { token, query })
    expect(page.map(({ title }) => title)).toEqual(['Stays', ...recalled.map(() => withdrawnTitle)])
    return page
  })
  for (const sent of notifications) {
    if (!('progress' in sent) || sent._id === kept.notificationId) continue
    const { pending, live, pushed, skipped, failed, cancelled, targeted, recalled: entries } = sent.progress
    expect(entries).toBe(userIds.length)
    expect(pending + live + pushed + skipped + failed + cancelled).toBe(targeted)
  }
})
