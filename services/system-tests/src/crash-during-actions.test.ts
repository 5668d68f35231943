/** @module-tag verify */
import { setTimeout as pause } from 'node:timers/promises'
import {
  cancelNotification,
  listRecentNotifications,
  resendNotification,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { freePort } from '@portal/engines/free-port'
import { until } from '@portal/platform/testing/until'
import { afterEach, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail, type SignedIn, userIdsByEmail } from './testing/api-client.ts'
import {
  admin,
  eventually,
  newDataFolder,
  type PortalProcess,
  readDevMailbox,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'
import { recordOutcomesInFolder } from './testing/recorded-outcomes.ts'

/** Kills the portal during cancels and resends. A retry gets the answer, and no push is lost or repeated without a crash. */
const learnerCount = 200
const ownerCount = 12
const killAfterMs = [0, 15, 60]
const never = '600000'

const cleanUps: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A portal with learners, some of whom have a device. Nothing is pushed until a restart with a short grace period. */
const startWithDevices = async () => {
  const dataFolder = await newDataFolder()
  cleanUps.push(dataFolder.remove)
  const dataDir = dataFolder.path
  const password = await seedLearners(dataDir, learnerCount)
  const port = await freePort()
  const start = (graceMs: string) => startPortal({ dataDir, port, settings: { SEEN_GRACE_MS: graceMs } })
  let portal: PortalProcess = await start(never)
  cleanUps.push(() => portal.kill())
  const { address } = portal
  const { token } = await logIn(address, admin.email, admin.password)
  const owners: SignedIn[] = []
  for (let n = 1; n <= ownerCount; n++) {
    const owner = await logIn(address, seededEmail(n), password)
    await callRoute(address, savePushToken, { token: owner.token, body: { token: `device-of-${owner.userId}` } })
    owners.push(owner)
  }
  const call = { token, address }
  return {
    ...call,
    dataDir,
    owners,
    send: async (userIds: readonly string[]) => {
      const body = { userIds, title: 'Fees', message: 'Are due' }
      return (await callRoute(address, sendNotification, { token, body })).notificationId
    },
    progressOf: async (id: string): Promise<CampaignProgress> => {
      const query = { page: 1, limit: 20 }
      const { notifications } = await callRoute(address, listRecentNotifications, { token, query })
      const sent = notifications.find((one) => one._id === id)
      if (!sent || !('progress' in sent)) throw new Error(`${id} is not in the history`)
      const { pending, live, pushed, skipped, failed, cancelled, targeted } = sent.progress
      expect(pending + live + pushed + skipped + failed + cancelled).toBe(targeted)
      return sent.progress
    },
    /** Pushes of the notification by device. */
    pushesOf: async (id: string): Promise<ReadonlyMap<string, number>> => {
      const lines = (await readDevMailbox(dataDir)).filter(({ link }) => link?.endsWith(id))
      return new Map([...Map.groupBy(lines, ({ to }) => to)].map(([to, pushes]) => [to, pushes.length]))
    },
    restart: async (graceMs: string, whileStopped: () => Promise<void> = async () => undefined): Promise<void> => {
      await portal.kill()
      await whileStopped()
      portal = await start(graceMs)
    },
  }
}

test('a cancel that a crash interrupts stops every delivery, and a retry says so', async () => {
  const { address, token, owners, send, progressOf, pushesOf, restart } = await startWithDevices()
  const everyone = [...(await userIdsByEmail(address, token)).values()]
  const ids: string[] = []
  for (const delayMs of killAfterMs) {
    const id = await send(everyone)
    ids.push(id)
    const cancel = () => callRoute(address, cancelNotification, { token, params: { id }, body: {} })
    const interrupted = cancel().catch(() => undefined)
    await pause(delayMs)
    await restart(never)
    await interrupted
    // An answer waits only for a limited time until nothing is pending.
    const answer = { cancelled: everyone.length, alreadySent: 0 }
    await until(async () => expect(await cancel()).toMatchObject(answer))
    expect(await cancel()).toMatchObject(answer)
    await until(async () => expect(await progressOf(id)).toMatchObject({ pending: 0, cancelled: everyone.length }))
  }
  await restart('50')
  // Anything that was still due after the restart would be pushed before this.
  const later = await send(owners.map(({ userId }) => userId))
  await until(async () => expect(await progressOf(later)).toMatchObject({ pending: 0, pushed: ownerCount }))
  for (const id of ids) {
    expect((await pushesOf(id)).size).toBe(0)
    expect(await progressOf(id)).toMatchObject({ pending: 0, cancelled: everyone.length })
  }
})

test('a resend that a crash interrupts is recorded once, and pushes to each recipient again', async () => {
  const { address, token, dataDir, owners, send, progressOf, pushesOf, restart } = await startWithDevices()
  const userIds = owners.map(({ userId }) => userIdSchema.parse(userId))
  const ids: string[] = []
  for (const _ of killAfterMs) ids.push(await send(userIds))
  await restart('50', async () => {
    const outcomes = userIds.map((userId) => ({ userId, state: 'failed', reason: 'quota' }) as const)
    for (const id of ids) await recordOutcomesInFolder(dataDir, notificationIdSchema.parse(id), outcomes)
  })

  for (const [index, id] of ids.entries()) {
    await eventually('the failures are projected', async () => (await progressOf(id)).failed === ownerCount)
    const headers = { [idempotencyKeyHeader]: `resend-${index}` }
    const resend = () => callRoute(address, resendNotification, { token, params: { id }, body: {}, headers })
    const interrupted = resend().catch(() => undefined)
    await pause(killAfterMs[index])
    await restart('50')
    await interrupted
    expect(await resend()).toMatchObject({ resent: ownerCount })
    await until(async () => expect(await progressOf(id)).toMatchObject({ pending: 0, pushed: ownerCount, failed: 0 }))
    const pushes = await pushesOf(id)
    expect(pushes.size).toBe(ownerCount)
    expect(Math.max(...pushes.values())).toBeLessThanOrEqual(2)
    await expect(callRoute(address, resendNotification, { token, params: { id }, body: {} })).rejects.toThrow('409')
  }
})
