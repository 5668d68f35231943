import * as contracts from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { callRoute, logIn, type SignedIn, wholeInbox } from './api-client.ts'
import { caughtUp, connectInbox, type InboxClient } from './inbox-client.ts'
import { admin, eventually } from './portal-process.ts'

/** Learners with open tabs, and the admin who sends to them. */
type ConnectedUsers = {
  readonly adminToken: string
  readonly recipients: readonly string[]
  readonly learners: readonly { readonly token: string; readonly clients: readonly InboxClient[] }[]
  close(): void
}

/** Connects a tab of each learner to every address. */
export const connectUsers = async (options: {
  readonly address: string
  readonly learners: readonly SignedIn[]
  /** Addresses; each learner opens one tab per address. */
  readonly tabs: readonly string[]
}): Promise<ConnectedUsers> => {
  const { token: adminToken } = await logIn(options.address, admin.email, admin.password)
  const learners: { readonly token: string; readonly clients: readonly InboxClient[] }[] = []
  for (const { token } of options.learners) {
    const clients: InboxClient[] = []
    for (const tab of options.tabs) clients.push(await connectInbox({ address: tab, token }))
    learners.push({ token, clients })
  }
  return {
    adminToken,
    recipients: options.learners.map(({ userId }) => userId),
    learners,
    close: () => learners.forEach(({ clients }) => clients.forEach((client) => client.close())),
  }
}

/** A failure that starts after this many answers. Sends continue and are retried. */
type Disruption = { readonly afterAnswers: number; run(): Promise<void> }

const senders = 5
const giveUpMs = 120_000

/**
 * Sends to all users with five concurrent senders, each retrying with the same idempotency key until answered. Returns
 * the ids of all sends when every disruption is over.
 */
export const sendDuringDisruptions = async (options: {
  readonly address: string
  readonly users: ConnectedUsers
  /** Prefix of the idempotency keys. */
  readonly name?: string
  readonly sendCount: number
  readonly disruptions: readonly Disruption[]
}): Promise<ReadonlySet<string>> => {
  const { address, users, name = 'send', sendCount, disruptions } = options
  const answered = new Set<string>()
  const waiting = [...disruptions]
  let disrupting: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined
  let lastError: unknown
  const deadline = Date.now() + giveUpMs

  const startDueDisruption = () => {
    const next = waiting[0]
    if (disrupting || !next || answered.size < next.afterAnswers) return
    waiting.shift()
    disrupting = next
      .run()
      .catch((error: unknown) => {
        failure = { error }
      })
      .finally(() => {
        disrupting = undefined
      })
  }
  const sendOne = async (n: number): Promise<boolean> => {
    try {
      const { notificationId } = await callRoute(address, contracts.sendNotification, {
        token: users.adminToken,
        headers: { [idempotencyKeyHeader]: `${name}-${n}` },
        body: { userIds: users.recipients, title: `Send ${n}`, message: 'Text', type: 'General', isUrgent: true },
      })
      answered.add(notificationId)
      return true
    } catch (error) {
      lastError = error
      return false // the idempotency key resolves whether it was recorded
    }
  }
  /** Senders wait for a due disruption, so that it interrupts sends in flight. */
  const isNextDisruptionDue = (): boolean => {
    const [first] = waiting
    return disrupting !== undefined && first !== undefined && answered.size >= first.afterAnswers
  }
  let next = 1
  const sender = async () => {
    while (next <= sendCount) {
      const n = next++
      while (isNextDisruptionDue()) await pause(20)
      while (!(await sendOne(n))) {
        if (failure) throw failure.error
        if (Date.now() > deadline) {
          throw new Error(`send ${n} was not answered within ${giveUpMs} ms: ${String(lastError)}`)
        }
        await pause(50)
      }
      startDueDisruption()
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  await disrupting
  if (failure) throw failure.error
  expect(waiting, 'every disruption has happened').toEqual([])
  expect(answered.size).toBe(sendCount)
  return answered
}

/**
 * Every inbox contains exactly the sends, and the count equals the list. Every open tab equals the server without a
 * reload, and showed nothing twice.
 */
export const expectConverged = async (
  address: string,
  users: ConnectedUsers,
  sent: ReadonlySet<string>,
): Promise<void> => {
  const ids = [...sent].toSorted()
  for (const { token, clients } of users.learners) {
    const server = await eventually(
      'all sends are in the inbox',
      async () => {
        const inbox = await wholeInbox(address, token)
        // An arrival between two pages shifts the second.
        const isWhole = new Set(inbox.items.map((item) => item._id)).size === inbox.items.length
        return inbox.items.length >= ids.length && isWhole && inbox
      },
      30_000,
    )
    expect(server.items.map((item) => item._id).toSorted()).toEqual(ids)
    expect(server.unread).toBe(server.items.filter((item) => !item.isRead).length)
    for (const client of clients) {
      await caughtUp(client, server)
      expect(client.items()).toEqual(server.items)
      expect(client.unread()).toBe(server.unread)
      const shownTwice = [...client.arrivals().values()].filter((times) => times > 1)
      expect(shownTwice, 'shown twice').toEqual([])
    }
  }
}
