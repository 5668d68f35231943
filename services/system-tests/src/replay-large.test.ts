/** @module-tag verify */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as contracts from '@portal/contracts/notifications/http'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { callRoute, logIn, seededEmail, wholeInbox } from './testing/api-client.ts'
import { recordLongHistory } from './testing/long-history.ts'
import {
  admin,
  eventually,
  newDataFolder,
  type PortalProcess,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

const doneSchema = z.object({
  step: z.literal('done'),
  results: z.array(z.object({ projection: z.string(), outcome: z.string(), compared: z.number() })),
})

/** 200,000 events are replayed under live reads and sends. */
const sendsOfLongAgo = 990
const folder = await newDataFolder()
let portal: PortalProcess
let password: string
let recorded: number

beforeAll(async () => {
  password = await seedLearners(folder.path, 2)
  const store = openSqliteEventStore({ path: join(folder.path, 'events.db') })
  recorded = await recordLongHistory(store, sendsOfLongAgo)
  await store.close()
  // The first read models too: a replay takes seconds for what serving would gather event by event.
  await replay()
  portal = await startPortal({ dataDir: folder.path, startTimeoutMs: 60_000 })
}, 180_000)
afterAll(async () => {
  await portal?.stop()
  await folder.remove()
})

const replay = () =>
  promisify(execFile)('make', ['replay', 'JSON=1', `DATA_DIR=${folder.path}`], {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], ENGINES_DIR: join(folder.path, 'no-engines') },
    maxBuffer: 64 * 1024 * 1024,
  })

const outboxSize = async (): Promise<number> =>
  (await readFile(join(folder.path, 'outbox.jsonl')).catch(() => Buffer.alloc(0))).length

test('a replay of 200,000 events fails no request and sends nothing', { timeout: 180_000 }, async () => {
  expect(recorded).toBeGreaterThanOrEqual(199_000)
  const { address } = portal
  const sender = await logIn(address, admin.email, admin.password)
  const [reader, other] = [
    await logIn(address, seededEmail(1), password),
    await logIn(address, seededEmail(2), password),
  ]
  const send = (title: string) => {
    const body = { userIds: [reader.userId, other.userId], title, message: 'Meanwhile', type: 'General' }
    return callRoute(address, contracts.sendNotification, { token: sender.token, body })
  }
  // What is sent arrives behind all of the history.
  await send('First')
  const hasArrived = async () => (await wholeInbox(address, reader.token)).items.length === 1
  await eventually('the history has been projected', hasArrived, 60_000)
  const outbox = await outboxSize()

  let isDone = false
  const counts = { pages: 0, sends: 0 }
  // Any request that fails rejects, and with it the test.
  const reading = async () => {
    while (!isDone) {
      await callRoute(address, contracts.listNotifications, { token: reader.token, query: { page: 1, limit: 20 } })
      await callRoute(address, contracts.countUnread, { token: other.token })
      counts.pages++
    }
  }
  const sending = async () => {
    while (!isDone) {
      await send('Now')
      counts.sends++
    }
  }
  const replaying = replay().finally(() => {
    isDone = true
  })
  const [{ stdout }] = await Promise.all([replaying, reading(), sending()])

  const { results } = doneSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}'))
  expect(results.filter(({ outcome }) => outcome !== 'switched')).toEqual([])
  // It was compared with what serves, bucket by bucket.
  expect(results.find(({ projection }) => projection === 'inbox')?.compared).toBeGreaterThan(50)
  expect(counts.pages).toBeGreaterThan(10)
  expect(counts.sends).toBeGreaterThan(5)
  // Nobody has a device, and what the worker settles meanwhile is not sent anywhere: not a byte more.
  expect(await outboxSize()).toBe(outbox)
  for (const { token } of [reader, other]) {
    const inbox = await eventually('all has arrived', async () => {
      const found = await wholeInbox(address, token)
      return found.items.length >= counts.sends + 1 && found
    })
    expect([inbox.items.length, inbox.unread]).toEqual([counts.sends + 1, counts.sends + 1])
  }
})
