/** @module-tag verify */
import { randomUUID } from 'node:crypto'
import { savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, seededEmail, wholeInbox } from './testing/api-client.ts'
import {
  admin,
  eventually,
  newDataFolder,
  type PortalProcess,
  readDevMailbox,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

const learners = 6
const sends = 150
const sentAtOnce = 10
const graceMs = '200'

let data: Awaited<ReturnType<typeof newDataFolder>>
let portal: PortalProcess
let password: string
let ids: readonly string[]

const send = async (title: string): Promise<string> => {
  const { token } = await logIn(portal.address, admin.email, admin.password)
  return sendAs(token, title)
}
const sendAs = async (token: string, title: string): Promise<string> => {
  // Others would wait, because each device gets more than five.
  const body = { userIds: [...ids], title, message: 'Please come to room 12.', type: 'General', isUrgent: true }
  return (await callRoute(portal.address, sendNotification, { token, body })).notificationId
}
/** Device and notification of each push, the oldest first. */
const pushes = async (): Promise<readonly string[]> =>
  (await readDevMailbox(data.path))
    .filter(({ to }) => to.startsWith('device-'))
    .map(({ to, link }) => `${to} ${link}`)
    .toReversed()

beforeAll(async () => {
  data = await newDataFolder()
  password = await seedLearners(data.path, learners)
  portal = await startPortal({ dataDir: data.path, settings: { SEEN_GRACE_MS: graceMs } })
}, 120_000)
afterAll(async () => {
  await portal?.kill()
  await data?.remove()
}, 60_000)

describe('a portal with history that gets a new Kafka and a new Redis', () => {
  it('repeats no earlier push', { timeout: 300_000 }, async () => {
    const signedIn = await Promise.all(
      Array.from({ length: learners }, (_, n) => logIn(portal.address, seededEmail(n + 1), password)),
    )
    ids = signedIn.map(({ userId }) => userId)
    for (const [n, { token }] of signedIn.entries())
      await callRoute(portal.address, savePushToken, { token, body: { token: `device-${n}` } })
    const { token } = await logIn(portal.address, admin.email, admin.password)
    for (let n = 0; n < sends; n += sentAtOnce)
      await Promise.all(Array.from({ length: sentAtOnce }, (_, k) => sendAs(token, `T${n + k}`)))
    const before = await eventually(
      'everything is pushed',
      async () => {
        const made = await pushes()
        return made.length >= sends * learners && made
      },
      120_000,
    )
    expect(new Set(before).size).toBe(sends * learners)
    expect(before).toHaveLength(sends * learners)
    expect(await portal.stop()).toBe(0)

    const { kafkaUrl, redisUrl } = testEngines()
    const prefix = `new-engines-${randomUUID().slice(0, 8)}`
    portal = await startPortal({
      dataDir: data.path,
      settings: {
        SEEN_GRACE_MS: graceMs,
        BUS_URL: `${kafkaUrl}?partitions=4&prefix=${prefix}.`,
        READ_MODEL_URL: `${redisUrl}?prefix=${prefix}`,
      },
      startTimeoutMs: 120_000,
    })
    // What is sent now is pushed behind everything that was there: then nothing is left that could be pushed again.
    const later = await send('sent on the new engines')
    const isLater = (push: string) => push.endsWith(later)
    await eventually('the new one is pushed', async () => (await pushes()).filter(isLater).length === learners, 60_000)
    const after = await pushes()
    expect(after.filter((push) => !isLater(push))).toHaveLength(before.length)
    const learner = await logIn(portal.address, seededEmail(1), password)
    await until(async () => {
      const { items } = await wholeInbox(portal.address, learner.token)
      expect(items).toHaveLength(sends + 1)
    })
    expect(await portal.stop()).toBe(0)
  })
})
