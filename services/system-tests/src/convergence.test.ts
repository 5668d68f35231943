import * as contracts from '@portal/contracts/notifications/http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRoute, logIn, seededEmail, type SignedIn, userIdsByEmail, wholeInbox } from './testing/api-client.ts'
import { connectInbox, type InboxClient } from './testing/inbox-client.ts'
import {
  admin,
  eventually,
  newDataFolder,
  type PortalProcess,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/**
 * Whatever the order of sends, reads, mark-alls, disconnects and reconnects on several clients of several learners: in the
 * end every client shows the server's list, the unread count is the number of unread items, and nothing was shown twice.
 */
const learnerCount = 3
const clientsPerLearner = 2
/** Longer than three resumes without an answer. */
const catchUpTimeoutMs = 30_000

type Step =
  | { readonly kind: 'send'; readonly to: readonly number[] }
  | { readonly kind: 'read'; readonly learner: number; readonly item: number }
  | { readonly kind: 'read-all'; readonly learner: number }
  | { readonly kind: 'disconnect'; readonly client: number }
  | { readonly kind: 'reconnect'; readonly client: number }
  | { readonly kind: 'drop-transport'; readonly client: number }

const learner = fc.nat(learnerCount - 1)
const client = fc.nat(learnerCount * clientsPerLearner - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('send' as const), to: fc.uniqueArray(learner, { minLength: 1 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), learner, item: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read-all' as const), learner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), client }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reconnect' as const), client }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop-transport' as const), client }) },
)

let portal: PortalProcess
let dataFolder: Awaited<ReturnType<typeof newDataFolder>>
let adminToken: string
const learners: SignedIn[] = []
let clients: InboxClient[] = []
/** What each learner must have in the end. */
const sentTo = Array.from({ length: learnerCount }, () => new Set<string>())

beforeAll(async () => {
  dataFolder = await newDataFolder()
  const password = await seedLearners(dataFolder.path, learnerCount)
  portal = await startPortal({ dataDir: dataFolder.path })
  adminToken = (await logIn(portal.address, admin.email, admin.password)).token
  for (let n = 1; n <= learnerCount; n++) learners.push(await logIn(portal.address, seededEmail(n), password))
  expect((await userIdsByEmail(portal.address, adminToken)).size).toBe(learnerCount + 1)
})
afterAll(async () => {
  for (const open of clients) open.close()
  await portal?.stop()
  await dataFolder?.remove()
})

const perform = async (action: Step): Promise<void> => {
  switch (action.kind) {
    case 'send': {
      const userIds = action.to.map((n) => learners[n]?.userId)
      const body = { userIds, title: 'Title', message: 'Message', type: 'General' }
      const sent = await callRoute(portal.address, contracts.sendNotification, { token: adminToken, body })
      for (const n of action.to) sentTo[n]?.add(sent.notificationId)
      return
    }
    case 'read': {
      const reader = learners[action.learner]
      const item = clients[action.learner * clientsPerLearner]?.items()[action.item]
      if (reader && item)
        await callRoute(portal.address, contracts.readNotification, { token: reader.token, params: { id: item._id } })
      return
    }
    case 'read-all': {
      const reader = learners[action.learner]
      if (reader) await callRoute(portal.address, contracts.readAllNotifications, { token: reader.token })
      return
    }
    case 'disconnect':
      clients[action.client]?.socket.disconnect()
      return
    case 'reconnect':
      clients[action.client]?.socket.connect()
      return
    case 'drop-transport': {
      // socket.io-client does not reconnect if the socket is closed while opening.
      const open = clients[action.client]?.socket
      if (open?.connected) open.io.engine.close()
      return
    }
  }
}

test('every client converges to the state of the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
      async (bursts) => {
        for (const open of clients) open.close()
        clients = []
        for (const { token } of learners)
          for (let n = 0; n < clientsPerLearner; n++)
            clients.push(await connectInbox({ address: portal.address, token }))
        // The steps of one burst run at the same time.
        for (const burst of bursts) await Promise.all(burst.map(perform))
        for (const open of clients) open.socket.connect()

        for (const [index, { token }] of learners.entries()) {
          const own = clients.slice(index * clientsPerLearner, (index + 1) * clientsPerLearner)
          const sent = [...(sentTo[index] ?? [])].toSorted()
          // A request waits for its projection only for a limited time, so the list may still change.
          const server = await eventually(
            'every send is in the list, and every client is at its position',
            async () => {
              const list = await wholeInbox(portal.address, token)
              return list.items.length >= sent.length && own.every((open) => open.seq() === list.seq) && list
            },
            catchUpTimeoutMs,
          )
          expect(server.items.map((item) => item._id).toSorted()).toEqual(sent)
          expect(server.unread).toBe(server.items.filter((item) => !item.isRead).length)
          for (const open of own) {
            expect(open.items()).toEqual(server.items)
            expect(open.unread()).toBe(server.unread)
            expect([...open.arrivals().values()].every((times) => times === 1)).toBe(true)
          }
        }
      },
    ),
    { numRuns: 15, endOnFailure: false },
  )
})
