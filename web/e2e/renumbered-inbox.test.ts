import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { countUnread, listNotifications } from '@portal/contracts/notifications/http'
import type { Page, Response } from 'playwright-core'
import { test } from 'vitest'
import { until } from '../src/testing/until.ts'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import {
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'

/** A portal that can be stopped, changed on disk and restarted at the same address. */
const { portal, openAs, send, expectConsoleErrors } = setUpJourneys(async () => {
  const dataFolder = await newDataFolder()
  const password = await seedLearners(dataFolder.path, 1)
  let running: PortalProcess = await startPortal({ dataDir: dataFolder.path })
  const { address } = running
  return {
    address,
    dataDir: dataFolder.path,
    learner: { email: seededEmail(1), password },
    whileStopped: async (change: () => Promise<void> | void) => {
      await running.stop()
      await change()
      running = await startPortal({ dataDir: dataFolder.path, port: Number(new URL(address).port) })
    },
    stop: async () => {
      await running.stop()
      await dataFolder.remove()
    },
  }
})

const inboxFiles = () => {
  const folder = join(portal().dataDir, 'read-models')
  return readdirSync(folder)
    .filter((name) => /^inbox[.-]/.test(name))
    .map((name) => join(folder, name))
}

/** Raises the sequence number of every inbox by 40 over the number that a rebuild assigns. */
const raiseSequenceNumbers = () => {
  const file = inboxFiles().find((name) => name.endsWith('.db'))
  if (!file) throw new Error('the read model has no inbox')
  const db = new DatabaseSync(file)
  db.exec(
    "UPDATE documents SET value = json_set(value, '$.seq', value ->> '$.seq' + 40) WHERE collection = 'inbox-head'",
  )
  db.close()
}
const deleteInboxes = async () => {
  for (const file of inboxFiles()) await rm(file)
}

/** How long a tab may take to reconnect on a busy machine. */
const reconnectTimeoutMs = 90_000

/** Whether a response is the list at this sequence number. */
const isListAt = (seq: number) => async (response: Response) => {
  if (!response.ok() || new URL(response.url()).pathname !== '/notifications') return false
  return listNotifications.response.parse(await response.json()).seq === seq
}

/** The server's state, with titles as the page shows them. */
const fetchInbox = async () => {
  const { address, learner } = portal()
  const { token } = await logIn(address, learner.email, learner.password)
  const { notifications } = await callRoute(address, listNotifications, { token })
  const { count, seq } = await callRoute(address, countUnread, { token })
  return { seq, unread: count, titles: notifications.map(({ title, isRead }) => (isRead ? title : `Unread: ${title}`)) }
}
const titlesOn = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
    .locator('.title')
    .allTextContents()
/** Waits until list, badge and server agree. The server may still change, so that each attempt asks it again. */
const expectAgreement = (page: Page) =>
  until(async () => {
    const { titles, unread } = await fetchInbox()
    expect(await titlesOn(page)).toEqual(titles)
    expect(await page.getByRole('link', { name: `${unread} unread Notification` }).count()).toBe(1)
    expect(await page.title()).toMatch(new RegExp(String.raw`^\(${unread}\) `))
  })

test('an open tab follows a rebuilt inbox with lower sequence numbers: list, badge and server agree without a reload', async () => {
  await send([portal().learner], ...[1, 2, 3].map((n) => ({ title: `Notice ${n}` })))
  await portal().whileStopped(raiseSequenceNumbers)
  const page = await openAs(portal().learner, '/notification')
  await page.getByText('Showing 1 to 3 of 3 notifications').waitFor()
  await expectAgreement(page)
  expect((await fetchInbox()).seq).toBe(43)
  await page.evaluate('window.isSamePage = true')

  // While the portal is stopped.
  expectConsoleErrors(/WebSocket|Failed to load resource|ERR_CONNECTION_REFUSED|xhr poll error/)
  const fetchedAgain = page.waitForResponse(isListAt(3), { timeout: reconnectTimeoutMs })
  await portal().whileStopped(deleteInboxes)
  expect((await fetchInbox()).seq).toBe(3)
  // The tab lists notifications from before its reconnect, but does not announce them.
  await fetchedAgain
  await expectAgreement(page)
  await expect(page.getByText('new notifications')).toHaveCount(0)

  await send([portal().learner], { title: 'Class moved to 8 PM' })
  await page.getByRole('link', { name: 'Unread: Class moved to 8 PM' }).waitFor()
  await expectAgreement(page)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Close message' }).click()
  await expect.poll(async () => (await fetchInbox()).unread).toBe(0)
  await page.getByRole('link', { name: 'Notification', exact: true }).waitFor()
  await send([portal().learner], { title: 'The hall is closed' })
  await expectAgreement(page)
  expect(await page.evaluate('window.isSamePage')).toBe(true)
})
