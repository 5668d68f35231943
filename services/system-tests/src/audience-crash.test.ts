/** @module-tag verify */
import { join } from 'node:path'
import { countUnread, listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { outcomeStates } from '@portal/contracts/notifications/notification'
import { type CampaignProgress, campaignProgressSchema } from '@portal/contracts/notifications/sent-item'
import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { freePort } from '@portal/engines/free-port'
import { campaignEventSchema } from '@portal/notifications/campaign/events'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { io, type Socket } from 'socket.io-client'
import { afterEach, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail } from './testing/api-client.ts'
import {
  admin,
  eventually,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/**
 * Kills the portal while it puts a notification to 20,000 learners into the inboxes. Everyone has it once, and the
 * numbers add up in every frame that an admin receives.
 */
const learnerCount = 20_000
/** Learners whose inbox is read, spread over the buckets. */
const sampleSize = 20
const settings = { SEEN_GRACE_MS: '500' }

const cleanUps: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** Collects the progress that an admin receives, also after reconnections. */
const watchProgress = (address: string, token: string): readonly CampaignProgress[] => {
  const frames: CampaignProgress[] = []
  const socket: Socket<ServerToClient, ClientToServer> = io(address, {
    auth: { token },
    transports: ['websocket'],
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
    forceNew: true,
  })
  cleanUps.push(() => void socket.close())
  socket.on('campaign:progress', (frame) => void frames.push(campaignProgressSchema.parse(frame)))
  return frames
}

const settledOf = (frame: CampaignProgress): number => outcomeStates.reduce((sum, state) => sum + frame[state], 0)

/** How often each user is a recipient, according to the log. */
const countRecipients = async (dataDir: string, notificationId: string): Promise<ReadonlyMap<string, number>> => {
  const store = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const counts = new Map<string, number>()
  try {
    for await (const { type, data } of store.read(`campaign-${notificationId}`)) {
      const event = campaignEventSchema.parse({ type, data })
      if (event.type !== 'RecipientsTargeted') continue
      for (const userId of event.data.recipients.flatMap(({ userIds }) => userIds))
        counts.set(userId, (counts.get(userId) ?? 0) + 1)
    }
  } finally {
    await store.close()
  }
  return counts
}

test('crashes during a send to 20,000 learners lose and repeat nothing, and every progress adds up', async () => {
  const folder = await newDataFolder()
  cleanUps.push(folder.remove)
  const password = await seedLearners(folder.path, learnerCount)
  const port = await freePort()
  const start = () => startPortal({ dataDir: folder.path, port, settings, startTimeoutMs: 120_000 })
  let portal: PortalProcess = await start()
  cleanUps.push(() => portal.kill())
  const { address } = portal
  const { token } = await logIn(address, admin.email, admin.password)
  const frames = watchProgress(address, token)

  const sendOnce = () =>
    callRoute(address, sendNotification, {
      token,
      headers: { [idempotencyKeyHeader]: 'to-everyone' },
      body: { audience: { everyone: true }, title: 'Campus closed', message: 'On Monday.', type: 'General' },
    })
  const progressNow = async (): Promise<CampaignProgress | undefined> => {
    const { notifications } = await callRoute(address, listRecentNotifications, { token })
    expect(notifications.length).toBeLessThanOrEqual(1)
    const [sent] = notifications
    return sent && 'progress' in sent ? sent.progress : undefined
  }

  const first = sendOnce().catch(() => undefined)
  for (const atLeast of [1, 5_000]) {
    await eventually(
      `${atLeast} recipients have it`,
      () => frames.some(({ distributed = learnerCount }) => distributed >= atLeast),
      120_000,
    )
    await portal.kill()
    portal = await start()
  }
  await first
  const answer = await eventually('the send is answered', () => sendOnce().catch(() => undefined), 60_000)
  expect(answer).toMatchObject({ targeted: learnerCount })
  expect(await sendOnce()).toEqual(answer)

  const settled = await eventually(
    'everyone has an outcome',
    async () => {
      const progress = await progressNow()
      return progress?.pending === 0 && progress
    },
    120_000,
  )
  expect(settled).toMatchObject({ targeted: learnerCount, skipped: learnerCount })
  expect(settled).not.toHaveProperty('distributed')
  for (let n = 0; n < sampleSize; n++) {
    const learner = await logIn(address, seededEmail(1 + n * Math.floor(learnerCount / sampleSize)), password)
    expect((await callRoute(address, countUnread, { token: learner.token })).count).toBe(1)
  }
  // The crashes came while it was being distributed.
  expect(frames.filter(({ distributed }) => distributed !== undefined).length).toBeGreaterThan(1)
  for (const frame of frames) expect(frame.pending + settledOf(frame)).toBe(frame.targeted)

  await portal.stop()
  const counts = await countRecipients(folder.path, answer.notificationId)
  expect(counts.size).toBe(learnerCount)
  expect([...counts.values()].every((count) => count === 1)).toBe(true)
}, 300_000)
