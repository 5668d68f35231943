import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, seededEmail, userIdsByEmail, wholeInbox } from './testing/api-client.ts'
import { connectInbox, type InboxClient } from './testing/inbox-client.ts'
import {
  admin,
  eventually,
  inheritedEnvironment,
  newDataFolder,
  nodeBinary,
  type PortalProcess,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/** Replays during use of a portal, each in its own process, as an operator starts it. */
const learnerCount = 12
/** Has a device and is offline, so sends to this learner would be pushed. */
const awayNumber = 1
const folder = await newDataFolder()

type Learner = { readonly token: string; readonly userId: string }
type Line = { readonly step: string; readonly results?: readonly { readonly outcome: string }[] }

let portal: PortalProcess
let adminToken: string
let learners: readonly Learner[]
let tab: InboxClient
const sent: string[] = []

const command = async (name: 'main' | 'rollback-main', settings: Readonly<Record<string, string>> = {}) => {
  const inherited = inheritedEnvironment()
  const child = spawn(nodeBinary, [join(repositoryRoot, `services/ops/src/replay/${name}.ts`)], {
    cwd: repositoryRoot,
    // No address is set, and no engines are up there: what is replayed is the portal of the data folder.
    env: { ...inherited, ENGINES_DIR: join(folder.path, 'engines'), DATA_DIR: folder.path, JSON: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}
const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trim()
    .split('\n')
    // As the command writes them.
    .map((line) => JSON.parse(line) as Line)

const outboxSize = async (): Promise<number> =>
  (await readFile(join(folder.path, 'outbox.jsonl')).catch(() => Buffer.alloc(0))).length

const tokenOf = (number: number): string => learners[number - 1]?.token ?? ''

const sendTo = async (numbers: readonly number[]): Promise<void> => {
  const { notificationId } = await callRoute(portal.address, notifications.sendNotification, {
    token: adminToken,
    body: {
      title: `Number ${sent.length}`,
      message: 'Read me',
      userIds: numbers.map((number) => learners[number - 1]?.userId ?? ''),
    },
  })
  sent.push(notificationId)
}

/** A program that is edited all the time, and one that was deleted; learner 2 is enrolled in both. */
const programs = { edited: '', deleted: '' }
/** Told learner 2 of the enrollments. */
const notices: string[] = []
let edits = 0

const setUpCatalog = async (): Promise<void> => {
  const create = async (programName: string) => {
    const body = { programName }
    const { data } = await callRoute(portal.address, catalog.createProgram, { token: adminToken, body })
    await callRoute(portal.address, catalog.enrollInProgram, { token: tokenOf(2), params: { id: data._id } })
    return data._id
  }
  programs.edited = await create('Minor in AI')
  programs.deleted = await create('Minor in DS')
  const params = { id: programs.deleted }
  await callRoute(portal.address, catalog.removeProgram, { token: adminToken, params })
  const told = await eventually('learner 2 to be told of both enrollments', async () => {
    const { items } = await wholeInbox(portal.address, tokenOf(2))
    const ids = items.flatMap(({ _id, title }) => (title.startsWith('You are enrolled in') ? [_id] : []))
    return ids.length === 2 && ids
  })
  notices.push(...told)
}

const editProgram = async (): Promise<void> => {
  const body = { programName: 'Minor in AI', fee: String(edits + 1) }
  const params = { id: programs.edited }
  await callRoute(portal.address, catalog.updateProgram, { token: adminToken, params, body })
  edits++
}

/** Expects the last edit in the catalog, and the deleted program to be readable only by its enrolled learner. */
const expectCatalogToAgree = async () => {
  // An answer to an edit waits for its projection only for a limited time.
  await until(async () => {
    const listed = await callRoute(portal.address, catalog.listPrograms)
    expect(listed.map(({ _id, fee }) => ({ _id, fee }))).toEqual([{ _id: programs.edited, fee: String(edits) }])
  })
  const { programs: mine } = await callRoute(portal.address, catalog.listMyPrograms, { token: tokenOf(2) })
  expect(mine.map(({ programId }) => programId)).toEqual([programs.deleted, programs.edited])
  const params = { id: programs.deleted }
  const { data } = await callRoute(portal.address, catalog.getMyProgram, { token: tokenOf(2), params })
  expect(data).toMatchObject({ programName: 'Minor in DS', enrollment: mine[0] })
}

/** Reads, sends and edits continuously until stopped; rejects with the first failed request. */
const usePortal = () => {
  const counts = { sends: 0, pages: 0, reads: 0 }
  let isStopped = false
  const present = learners.map((_, index) => index + 1).filter((number) => number !== awayNumber)
  const sending = async () => {
    while (!isStopped) {
      await sendTo(present)
      counts.sends++
      await pause(10)
    }
  }
  const reading = async () => {
    for (let turn = 0; !isStopped; turn++) {
      const token = tokenOf(present[turn % present.length] ?? 2)
      const { notifications: page } = await callRoute(portal.address, notifications.listNotifications, {
        token,
        query: { page: 1, limit: 20 },
      })
      counts.pages++
      const unread = page.find(({ isRead }) => !isRead)
      if (unread !== undefined && turn % 5 === 0) {
        await callRoute(portal.address, notifications.readNotification, { token, params: { id: unread._id } })
        counts.reads++
      }
    }
  }
  const editing = async () => {
    while (!isStopped) {
      await editProgram()
      await pause(10)
    }
  }
  const running = Promise.all([sending(), reading(), reading(), editing()])
  running.catch(() => undefined)
  return {
    counts,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

/** Expects every send in the inboxes once, and equal counts and lists. */
const expectInboxesToAgree = async () => {
  for (const [index, { token }] of learners.entries()) {
    const expected = index + 1 === awayNumber ? sent.slice(0, 1) : index + 1 === 2 ? [...notices, ...sent] : sent
    // An answer to a send or a read does not wait for every inbox, and what arrives between two pages shifts them.
    await until(async () => {
      const { items, unread } = await wholeInbox(portal.address, token)
      expect(items.map(({ _id }) => _id).toSorted()).toEqual(expected.toSorted())
      expect(items.filter(({ isRead }) => !isRead)).toHaveLength(unread)
    })
  }
}

beforeAll(async () => {
  const password = await seedLearners(folder.path, learnerCount)
  portal = await startPortal({ dataDir: folder.path, settings: { SEEN_GRACE_MS: '200' } })
  const signedIn = await logIn(portal.address, admin.email, admin.password)
  adminToken = signedIn.token
  const userIds = await userIdsByEmail(portal.address, adminToken)
  const numbers = Array.from({ length: learnerCount }, (_, index) => index + 1)
  learners = await Promise.all(
    numbers.map(async (number) => ({
      token: (await logIn(portal.address, seededEmail(number), password)).token,
      userId: userIds.get(seededEmail(number)) ?? '',
    })),
  )
  tab = await connectInbox({ address: portal.address, token: tokenOf(2) })
  await callRoute(portal.address, notifications.savePushToken, {
    token: tokenOf(awayNumber),
    body: { token: 'a-device-that-is-away' },
  })
  await sendTo(numbers)
  await setUpCatalog()
  await eventually('the push to the device', async () => (await outboxSize()) > 0)
}, 60_000)
afterAll(async () => {
  tab.close()
  await portal.stop()
  await folder.remove()
})

/** A later version of the projection has no generation with a fixed name. */
const firstInbox = /^inbox\.v\d+-\d{8}t\d{6}$/
let firstGeneration: string | undefined

describe('make replay, while the portal is used', { timeout: 120_000 }, () => {
  it('prints its plan with DRY_RUN', { tags: ['verify'] }, async () => {
    const { code, stdout, stderr } = await command('main', { DRY_RUN: '1' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const plan = JSON.parse(stdout) as {
      eventsToRead: number
      projections: { projection: string; generation: string }[]
    }
    expect(plan.eventsToRead).toBeGreaterThan(learnerCount)
    expect(plan.projections.find(({ projection }) => projection === 'inbox')?.generation).toMatch(firstInbox)
    firstGeneration = plan.projections.find(({ projection }) => projection === 'inbox')?.generation
  })

  it('rebuilds all read models and switches without a failed request or a send', async () => {
    const outbox = await outboxSize()
    const use = usePortal()
    await eventually('some traffic', () => use.counts.sends > 20)
    const before = { ...use.counts }
    const { code, stdout, stderr } = await command('main')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(use.counts.sends).toBeGreaterThan(before.sends)
    expect(use.counts.pages).toBeGreaterThan(before.pages)
    const switched = { ...use.counts }
    await eventually('traffic after it', () => use.counts.sends > switched.sends + 20)
    await use.stop()
    const results = linesOf(stdout).at(-1)?.results ?? []
    expect(results.length).toBeGreaterThanOrEqual(9)
    expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'switched'))
    expect(await outboxSize()).toBe(outbox)
    await expectInboxesToAgree()
    await expectCatalogToAgree()
    await eventually('the tab to have all', () => tab.items().length === notices.length + sent.length)
    expect([...tab.arrivals().values()].every((times) => times === 1)).toBe(true)
  })

  it('switches back to the previous read models, including later events', { tags: ['verify'] }, async () => {
    const outbox = await outboxSize()
    const use = usePortal()
    await eventually('some traffic', () => use.counts.sends > 20)
    const { code, stdout, stderr } = await command('rollback-main')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const wentBack = JSON.parse(stdout) as { projection: string; generation: string }[]
    expect(wentBack.find(({ projection }) => projection === 'inbox')?.generation).toBe(firstGeneration)
    await eventually('traffic after it', () => use.counts.sends > 40)
    await use.stop()
    expect(await outboxSize()).toBe(outbox)
    await expectInboxesToAgree()
    await expectCatalogToAgree()
  })
})
