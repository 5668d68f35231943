import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as contracts from '@portal/contracts/notifications/http'
import { openBackup } from '@portal/platform/backup/open-backup'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callRoute, logIn, seededEmail } from './testing/api-client.ts'
import { recordLongHistory } from './testing/long-history.ts'
import { createOperator, type Operator } from './testing/operator.ts'
import {
  admin,
  newDataFolder,
  nodeBinary,
  type PortalProcess,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/** To 200 learners, who have read each. */
const sendsOfLongAgo = 10
/** Together about 100,000 events. */
const moreSendsOfLongAgo = 485
const killed = 10

const lastLine = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
const madeSchema = z.object({ file: z.string(), path: z.string(), events: z.number(), readModels: z.number() })
const checkedSchema = z.object({
  isGood: z.boolean(),
  events: z.number(),
  problems: z.array(z.string()),
  compared: z.array(z.object({ projection: z.string(), partitions: z.number().optional() })),
})
const statusSchema = z.object({ backups: z.object({ lastGood: z.object({ file: z.string() }).optional() }) })

const data = await newDataFolder()
const elsewhere = await newDataFolder()
const backups = join(elsewhere.path, 'backups')
let portal: PortalProcess
let operator: Operator
let password: string
let recorded: number

beforeAll(async () => {
  password = await seedLearners(data.path, 2)
  recorded = await recordSends(sendsOfLongAgo)
  operator = createOperator({ dataDir: data.path, settings: { BACKUP_DIR: backups, TMPDIR: elsewhere.path } })
  portal = await startPortal({ dataDir: data.path, startTimeoutMs: 120_000 })
}, 240_000)
afterAll(async () => {
  await portal?.stop()
  await data.remove()
  await elsewhere.remove()
})

const recordSends = async (count: number): Promise<number> => {
  const store = openSqliteEventStore({ path: join(data.path, 'events.db') })
  try {
    return await recordLongHistory(store, count)
  } finally {
    await store.close()
  }
}

const json = async <T extends z.ZodType>(schema: T, name: Parameters<Operator['command']>[0], settings = {}) => {
  const { stdout, stderr, code } = await operator.command(name, { JSON: '1', ...settings })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return schema.parse(lastLine(stdout))
}
const backupFiles = async () => (await readdir(backups)).filter((name) => name.endsWith('.backup'))

const backUpDuringUse = async () => {
  const { address } = portal
  const sender = await logIn(address, admin.email, admin.password)
  const reader = await logIn(address, seededEmail(1), password)
  let isDone = false
  let requests = 0
  // Any request that fails rejects, and with it the test.
  const working = async () => {
    while (!isDone) {
      const body = { userIds: [reader.userId], title: 'Now', message: 'Meanwhile', type: 'General' } as const
      await callRoute(address, contracts.sendNotification, { token: sender.token, body })
      await callRoute(address, contracts.listNotifications, { token: reader.token, query: { page: 1, limit: 20 } })
      requests += 2
    }
  }
  const backingUp = json(madeSchema, 'backup').finally(() => {
    isDone = true
  })
  const [made] = await Promise.all([backingUp, working(), working()])
  return { made, requests, checked: await json(checkedSchema, 'backup-check') }
}

test(
  'a backup during sends and reads has everything from before, and the check finds no difference',
  { timeout: 240_000 },
  async () => {
    const { made, requests, checked } = await backUpDuringUse()
    expect(requests).toBeGreaterThan(1)
    expect(made.events).toBeGreaterThan(recorded)
    expect(await backupFiles()).toEqual([made.file])
    expect(checked).toMatchObject({ isGood: true, events: made.events, problems: [] })
    expect(checked.compared).toHaveLength(made.readModels)
    expect(checked.compared.find(({ projection }) => projection === 'inbox')?.partitions).toBeGreaterThan(50)

    const { stdout } = await operator.command('status', { JSON: '1' })
    expect(statusSchema.parse(JSON.parse(stdout)).backups.lastGood?.file).toBe(made.file)
  },
)

test('so has one of 100,000 events', { timeout: 240_000, tags: ['verify'] }, async () => {
  expect(await portal.stop()).toBe(0)
  recorded += await recordSends(moreSendsOfLongAgo)
  expect(recorded).toBeGreaterThanOrEqual(99_000)
  // A replay takes seconds for what serving would gather event by event.
  expect((await operator.command('replay')).code).toBe(0)
  portal = await startPortal({ dataDir: data.path, startTimeoutMs: 120_000 })
  const { made, checked } = await backUpDuringUse()
  expect(made.events).toBeGreaterThan(recorded)
  expect(checked).toMatchObject({ isGood: true, events: made.events, problems: [] })
  expect(checked.compared).toHaveLength(made.readModels)
})

test('the last line names the master key file, and KEEP removes older backups', { tags: ['verify'] }, async () => {
  const { stdout, code } = await operator.command('backup', { KEEP: '1' })
  expect(code).toBe(0)
  expect(stdout.trim().split('\n').at(-1)).toContain(join(data.path, 'master.key'))
  expect(await backupFiles()).toHaveLength(1)
})

test(
  'a kill -9 at any moment leaves no file that counts as a backup',
  { timeout: 240_000, tags: ['verify'] },
  async () => {
    const run = () =>
      spawn(nodeBinary, ['services/ops/src/backup/main.ts'], {
        cwd: repositoryRoot,
        env: { PATH: process.env['PATH'], DATA_DIR: data.path, BACKUP_DIR: backups },
        stdio: 'ignore',
      })
    const beganMs = performance.now()
    const [code] = await once(run(), 'exit')
    expect(code).toBe(0)
    const tookMs = performance.now() - beganMs
    for (let n = 1; n <= killed; n++) {
      const child = run()
      const exited = once(child, 'exit')
      // The moments are spread over the whole run; which of them is hit does not matter.
      const timer = setTimeout(() => child.kill('SIGKILL'), (tookMs * n) / (killed + 1))
      await exited
      clearTimeout(timer)
      for (const name of await backupFiles()) expect(await openBackup(join(backups, name))).toMatchObject({ ok: true })
    }
    expect((await operator.command('backup')).code).toBe(0)
    expect((await readdir(backups)).filter((name) => !name.endsWith('.backup'))).toEqual(['.lock.db'])
  },
)

describe('bad input is rejected in one line and changes nothing', { tags: ['verify'] }, () => {
  const refused = async (name: Parameters<Operator['command']>[0], settings: Readonly<Record<string, string>>) => {
    const before = await readdir(backups)
    const { code, stderr } = await operator.command(name, settings)
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(await readdir(backups)).toEqual(before)
    return stderr
  }
  const file = async (content: string | Buffer) => {
    const path = join(elsewhere.path, 'given')
    await writeFile(path, content)
    return path
  }
  const newest = async () => readFile(join(backups, (await backupFiles()).toSorted().at(-1) ?? ''))

  test('an invalid number of backups to keep', async () => {
    expect(await refused('backup', { KEEP: 'all' })).toContain('KEEP must be a whole number')
  })
  test('a backup folder that is a file', async () => {
    expect(await refused('backup', { BACKUP_DIR: await file('') })).toContain('BACKUP_DIR')
  })
  test('a data folder without a portal', async () => {
    const empty = join(elsewhere.path, 'empty')
    await mkdir(empty)
    expect(await refused('backup', { DATA_DIR: empty })).toContain('There is no event store')
    expect(await readdir(empty)).toEqual([])
    await rm(empty, { recursive: true })
  })
  test('an event store that does not answer', async () => {
    const url = 'esdb://127.0.0.1:1?tls=false'
    expect(await refused('backup', { EVENT_STORE_URL: url })).toContain('The event store at esdb://127.0.0.1:1')
  })
  test('a missing file', async () => {
    expect(await refused('backup-check', { FROM: '/nowhere' })).toContain('FROM: there is no file')
  })
  test('a file that is no backup', async () => {
    expect(await refused('backup-check', { FROM: await file('Hello') })).toContain('is not a backup')
  })
  test('a truncated backup', async () => {
    const bytes = await newest()
    expect(await refused('backup-check', { FROM: await file(bytes.subarray(0, 100_000)) })).toContain('incomplete')
  })
  test('a damaged backup: the part and its checksums', async () => {
    const bytes = await newest()
    bytes.writeUInt8(bytes.readUInt8(200_000) ^ 1, 200_000)
    const line = await refused('backup-check', { FROM: await file(bytes) })
    expect(line).toMatch(/damaged: events\.db\.gz has the SHA-256 [0-9a-f]{12}…, expected [0-9a-f]{12}…/)
  })
})
