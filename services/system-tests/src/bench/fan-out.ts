import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { countUnread, listNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { bucketOf } from '@portal/contracts/shared/buckets'
import { v7 as newId } from 'uuid'
import { callRoute, logIn, seededEmail } from '../testing/api-client.ts'
import { untilProgress } from './audience.ts'
import type { BareProcess, BenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, nowMs, quantile, type Scale } from './measure.ts'
import { bareSide, portalSide, type Side } from './side.ts'

/**
 * One send to many learners, some of them online. Measures the time from the POST to the last inbox against a raw
 * batched insert, to the last open socket against the bare process, and the inbox page of another learner meanwhile.
 */

/** The inbox rows alone: same columns, same two indexes, batches of 1,000, synchronous=FULL. */
const openRaw = () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fan-out-'))
  const database = new DatabaseSync(join(folder, 'raw.db'))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE inbox (user_id TEXT NOT NULL, notification_id TEXT NOT NULL, arrival INTEGER NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (user_id, notification_id)) WITHOUT ROWID;
    CREATE UNIQUE INDEX inbox_by_arrival ON inbox (user_id, arrival);`)
  const insert = database.prepare('INSERT INTO inbox (user_id, notification_id, arrival, value) VALUES (?, ?, ?, ?)')
  let arrival = 0
  return {
    insertAll: (userIds: readonly string[]): number => {
      const notificationId = newId()
      arrival += 1
      const start = nowMs()
      for (let from = 0; from < userIds.length; from += 1_000) {
        database.exec('BEGIN IMMEDIATE')
        for (const userId of userIds.slice(from, from + 1_000))
          insert.run(
            userId,
            notificationId,
            arrival,
            JSON.stringify({ seq: arrival, deliveredAt: new Date().toISOString() }),
          )
        database.exec('COMMIT')
      }
      return nowMs() - start
    },
    close: () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const recipientsOf = (portal: BenchPortal, scale: Scale): readonly string[] =>
  Array.from({ length: scale.fanOutLearners }, (_, n) => portal.userIds.get(seededEmail(n + 1)) ?? '')

export const benchFanOut = async (portal: BenchPortal, scale: Scale): Promise<Comparison[]> => {
  // The reader is the last seeded learner and not a recipient. The watched learners are the last of their buckets.
  const readerEmail = seededEmail(scale.fanOutLearners + 1)
  const reader = await logIn(portal.address, readerEmail, portal.password)
  const recipients = recipientsOf(portal, scale)
  const watched = await watchedLearners(portal, recipients)
  const online = await portalSide(portal, scale.fanOutOnline)
  const readPage = () =>
    callRoute(portal.address, listNotifications, { token: reader.token, query: { page: 1, limit: 10 } })

  const raw = openRaw()
  const figures = {
    inEveryInbox: [] as number[],
    rawInsert: [] as number[],
    busyPage: [] as number[],
    idlePage: [] as number[],
  }
  await measureLatencies(scale.roundMs / 3, readPage)
  for (let round = 0; round < scale.rounds; round++) {
    figures.rawInsert.push(raw.insertAll(recipients))
    figures.idlePage.push(quantile(await measureLatencies(scale.roundMs, readPage), 0.99))
    figures.inEveryInbox.push(await oneSend(portal, recipients, watched))
    // A second send while the reader reads, so that reading does not slow down the first.
    let done = false
    const sending = oneSend(portal, recipients, watched).finally(() => (done = true))
    const meanwhile: number[] = []
    while (!done) meanwhile.push(...(await measureLatencies(1, readPage)))
    await sending
    figures.busyPage.push(quantile(meanwhile, 0.99))
  }
  online.close()
  raw.close()
  const learners = scale.fanOutLearners.toLocaleString('en')
  return [
    {
      name: `one send to ${learners}, in every inbox`,
      limitName: `raw batched insert of ${learners} rows`,
      unit: 'ms',
      portal: figures.inEveryInbox,
      limit: figures.rawInsert,
      reach: { atMost: 1.5 },
    },
    {
      name: "another learner's page meanwhile, p99",
      limitName: 'the same, idle',
      unit: 'ms',
      portal: figures.busyPage,
      limit: figures.idlePage,
      reach: { atMost: 3 },
    },
  ]
}

type Watched = readonly { readonly token: string }[]

/** One learner of each of the four highest buckets, whose inboxes are written last. */
const watchedLearners = async (portal: BenchPortal, recipients: readonly string[]): Promise<Watched> => {
  const emailOf = new Map([...portal.userIds].map(([email, userId]) => [userId, email]))
  const buckets = [...new Set(recipients.map(bucketOf))].toSorted((a, b) => b - a).slice(0, 4)
  return Promise.all(
    buckets.map((bucket) => {
      const userId = recipients.findLast((recipient) => bucketOf(recipient) === bucket) ?? ''
      return logIn(portal.address, emailOf.get(userId) ?? '', portal.password)
    }),
  )
}

/** Sends, and polls the last inboxes until all have the notification. */
const oneSend = async (portal: BenchPortal, recipients: readonly string[], watched: Watched): Promise<number> => {
  const unreadOf = async (token: string) => (await callRoute(portal.address, countUnread, { token })).count
  const before = await Promise.all(watched.map(({ token }) => unreadOf(token)))
  const start = nowMs()
  const answer = callRoute(portal.address, sendNotification, {
    token: portal.adminToken,
    body: { userIds: recipients, title: 'To everyone', message: 'The hall is closed on Monday.', type: 'General' },
  })
  await Promise.all(
    watched.map(async ({ token }, index) => {
      while ((await unreadOf(token)) === before[index]) await new Promise((resolve) => setTimeout(resolve, 1))
    }),
  )
  const taken = nowMs() - start
  await answer
  return taken
}

/** Sends, and resolves with the milliseconds until the last socket has it. */
const untilLastOnline = async (side: Side, recipients: readonly string[], label: string): Promise<number> => {
  let missing = side.users.length
  const arrived = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${missing} sockets did not get ${label}`)), 30_000)
    side.onArrival((title) => {
      if (title !== label || --missing > 0) return
      clearTimeout(timer)
      resolve()
    })
  })
  const start = nowMs()
  const answer = side.send(recipients, label)
  await arrived
  const taken = nowMs() - start
  await answer
  return taken
}

export const benchLastOnline = async (portal: BenchPortal, bare: BareProcess, scale: Scale): Promise<Comparison[]> => {
  const sides = [await portalSide(portal, scale.fanOutOnline), await bareSide(bare, scale.fanOutOnline)] as const
  const recipients = recipientsOf(portal, scale)
  const bareRecipients = recipients.map((_, n) => `user-${n}`)
  const figures = { portal: [] as number[], bare: [] as number[] }
  for (let round = 0; round < scale.rounds; round++) {
    // The portal goes on with a send after its arrival, which must not disturb the next one.
    await untilProgress(portal, ({ pending }) => pending === 0)
    figures.bare.push(await untilLastOnline(sides[1], bareRecipients, `round-${round}`))
    figures.portal.push(await untilLastOnline(sides[0], recipients, `round-${round}`))
  }
  for (const side of sides) side.close()
  const [learners, online] = [scale.fanOutLearners, scale.fanOutOnline].map((count) => count.toLocaleString('en'))
  return [
    {
      name: `one send to ${learners}, with the last of ${online} online`,
      limitName: 'the same in one transaction of the bare process',
      unit: 'ms',
      portal: figures.portal,
      limit: figures.bare,
      reach: { atMost: 2 },
    },
  ]
}
