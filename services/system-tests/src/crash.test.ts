import * as contracts from '@portal/contracts/notifications/http'
import { afterEach, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail, userIdsByEmail, wholeInbox } from './testing/api-client.ts'
import { connectInbox, type InboxClient } from './testing/inbox-client.ts'
import {
  admin,
  eventually,
  freePort,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/**
 * The power goes in the middle of 200 sends, at ten moments. What was answered is in every inbox exactly once, what was not
 * is there once or not at all, and every connected client ends with the server's list without a reload.
 */
const sendCount = 200
const learnerCount = 5
const crashAfterAnswers = [1, 20, 41, 62, 83, 104, 125, 146, 167, 188]

const cleanUps: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

test('a crash at ten moments of 200 sends loses nothing, repeats nothing and leaves every client right', async () => {
  const dataFolder = await newDataFolder()
  cleanUps.push(dataFolder.remove)
  const password = await seedLearners(dataFolder.path, learnerCount)
  const port = await freePort()
  const start = () => startPortal({ dataDir: dataFolder.path, port })

  let portal: PortalProcess = await start()
  cleanUps.push(() => portal.kill())
  const { address } = portal
  const { token: adminToken } = await logIn(address, admin.email, admin.password)
  const userIds = await userIdsByEmail(address, adminToken)
  const clients: InboxClient[] = []
  const tokens: string[] = []
  for (let n = 1; n <= learnerCount; n++) {
    const { token } = await logIn(address, seededEmail(n), password)
    tokens.push(token)
    for (let tab = 1; tab <= 2; tab++) clients.push(await connectInbox({ address, token }))
  }
  cleanUps.push(() => clients.forEach((client) => client.close()))
  const recipients = Array.from({ length: learnerCount }, (_, n) => userIds.get(seededEmail(n + 1)) ?? '')

  const answered = new Set<string>()
  const moments = [...crashAfterAnswers]
  const sendOne = async (n: number): Promise<boolean> => {
    try {
      const { notificationId } = await callRoute(address, contracts.sendNotification, {
        token: adminToken,
        headers: { [contracts.idempotencyKeyHeader]: `send-${n}` },
        body: { userIds: recipients, title: `Send ${n}`, message: 'Text', type: 'General' },
      })
      answered.add(notificationId)
      return true
    } catch {
      return false // the power went before the answer: whether it was recorded is what the idempotency key settles
    }
  }

  // Five senders at once; each takes the next number, and asks again under the same key when no answer came.
  let next = 1
  let crashing: Promise<void> | undefined
  const crashIfItIsTime = () => {
    if (crashing || moments.length === 0 || answered.size < (moments[0] ?? Infinity)) return
    moments.shift()
    crashing = (async () => {
      await portal.kill()
      portal = await start()
      crashing = undefined
    })()
  }
  const sender = async () => {
    while (next <= sendCount) {
      const n = next++
      while (!(await sendOne(n))) await crashing
      crashIfItIsTime()
    }
  }
  await Promise.all(Array.from({ length: 5 }, sender))
  await crashing
  expect(moments, 'all ten crashes have happened').toEqual([])
  expect(answered.size).toBe(sendCount)

  for (const [index, token] of tokens.entries()) {
    const server = await eventually('all sends are in the inbox', async () => {
      const inbox = await wholeInbox(address, token)
      return inbox.items.length >= sendCount && inbox
    })
    expect(server.items.map((item) => item._id).toSorted()).toEqual([...answered].toSorted())
    expect(server.unread).toBe(server.items.filter((item) => !item.isRead).length)
    for (const client of clients.slice(index * 2, index * 2 + 2)) {
      await eventually('the client has caught up', () => client.seq() === server.seq)
      expect(client.items()).toEqual(server.items)
      expect(client.unread()).toBe(server.unread)
      expect(
        [...client.arrivals().values()].filter((times) => times > 1),
        'shown twice',
      ).toEqual([])
    }
  }
})
