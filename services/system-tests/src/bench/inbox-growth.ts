import { join } from 'node:path'
import { countUnread, listNotifications } from '@portal/contracts/notifications/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { v7 as newId } from 'uuid'
import { callRoute } from '../testing/api-client.ts'
import { startBenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, quantile, type Scale } from './measure.ts'

/**
 * Cost of a page and a count in a small and in a large inbox. Users open the first page. A random page of a large inbox
 * is rarely cached, while the pages of a small inbox are.
 */
export const benchInboxGrowth = async (scale: Scale): Promise<Comparison[]> => {
  const users: string[] = []
  const portal = await startBenchPortal(scale.inboxSizes.length, {
    prepare: async (dataDir) => {
      users.push(...(await fillInboxes(dataDir, scale.inboxSizes)))
    },
    // The log is projected before the measurement, and nothing is delivered during it.
    startTimeoutMs: 240_000,
    settings: { SEEN_GRACE_MS: '600000' },
  })
  const learners = await portal.learners(scale.inboxSizes.length)
  const tokenOf = new Map(learners.map(({ userId, token }) => [userId, token]))
  const inboxes = scale.inboxSizes.map((size, index) => ({
    size,
    token: tokenOf.get(users[index] ?? '') ?? '',
    firstPage: [] as number[],
    anyPage: [] as number[],
    count: [] as number[],
  }))
  for (const inbox of inboxes) await untilFilled(portal.address, inbox.token, inbox.size)

  const sliceMs = scale.roundMs / 5
  for (let round = 0; round < scale.rounds; round++) {
    for (const { size, token, firstPage, anyPage, count } of inboxes) {
      const pages = Math.ceil(size / 10)
      let asked = round
      const readPage = (page: number) =>
        callRoute(portal.address, listNotifications, { token, query: { page, limit: 10 } })
      const readAnyPage = () => {
        asked = (asked * 7_919 + 13) % 1_000_003
        return readPage(1 + (asked % pages))
      }
      firstPage.push(quantile(await measureLatencies(sliceMs, () => readPage(1)), 0.5))
      anyPage.push(quantile(await measureLatencies(sliceMs, readAnyPage), 0.5))
      count.push(
        quantile(await measureLatencies(sliceMs, () => callRoute(portal.address, countUnread, { token })), 0.5),
      )
    }
  }
  await portal.stop()
  const [smallest, ...larger] = inboxes
  if (!smallest) throw new Error('no inbox sizes')
  return larger.flatMap((inbox): Comparison[] => [
    {
      name: `first inbox page at ${inbox.size.toLocaleString('en')}`,
      limitName: `itself at ${smallest.size}`,
      unit: 'ms',
      portal: inbox.firstPage,
      limit: smallest.firstPage,
      reach: { atMost: 1.3 },
    },
    {
      name: `any inbox page at ${inbox.size.toLocaleString('en')}`,
      limitName: `itself at ${smallest.size}`,
      unit: 'ms',
      portal: inbox.anyPage,
      limit: smallest.anyPage,
      reach: { atMost: 1.3 },
    },
    {
      name: `unread count at ${inbox.size.toLocaleString('en')}`,
      limitName: `itself at ${smallest.size}`,
      unit: 'ms',
      portal: inbox.count,
      limit: smallest.count,
      reach: { atMost: 1.1 },
    },
  ])
}

/** Appends the sends of each inbox directly to the log before the portal starts. */
const fillInboxes = async (dataDir: string, sizes: readonly number[]): Promise<string[]> => {
  const store = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const users: string[] = []
  for await (const event of store.subscribe('start', { categories: ['user'] }, new AbortController().signal)) {
    if (event.kind === 'caught-up') break
    if (event.type === 'UserRegistered') users.push(event.stream.slice('user-'.length))
  }
  const filled = users.slice(-sizes.length)
  for (const [index, size] of sizes.entries()) {
    const userId = filled[index] ?? ''
    const bucket = bucketKey(userId)
    for (let from = 0; from < size; from += 200)
      await Promise.all(
        Array.from({ length: Math.min(200, size - from) }, (_, n) => {
          const text = {
            notificationId: newId(),
            title: `Notification ${from + n + 1}`,
            message: 'Text '.repeat(20),
            type: 'General',
          }
          return store.append(`campaign-${text.notificationId}`, 'no-stream', [
            { id: newId(), type: 'CampaignSent', data: { text, sentBy: userId, targeted: 1, buckets: [bucket] } },
            { id: newId(), type: 'RecipientsTargeted', data: { text, recipients: [{ bucket, userIds: [userId] }] } },
          ])
        }),
      )
  }
  await store.close()
  return filled
}

const untilFilled = async (address: string, token: string, size: number) => {
  const deadline = Date.now() + 120_000
  for (;;) {
    const { pagination } = await callRoute(address, listNotifications, { token, query: { page: 1, limit: 10 } })
    if (pagination.total === size) return
    if (Date.now() > deadline) throw new Error(`the inbox holds ${pagination.total} of ${size}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
