import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as contracts from '@portal/contracts/notifications/http'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { callRoute, logIn, seededEmail } from './testing/api-client.ts'
import { recordLongHistory } from './testing/long-history.ts'
import { createOperator, type Operator } from './testing/operator.ts'
import { admin, newDataFolder, type PortalProcess, seedLearners, startPortal } from './testing/portal-process.ts'

/** Number of sends to 200 learners, who have read each. */
const sendsOfLongAgo = 10

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

test('the last line names the master key file, and KEEP removes older backups', { tags: ['verify'] }, async () => {
  const [passed = ''] = await backupFiles()
  const { stdout, code } = await operator.command('backup', { KEEP: '1' })
  expect(code).toBe(0)
  expect(stdout.trim().split('\n').at(-1)).toContain(join(data.path, 'master.key'))
  const [, unchecked = ''] = (await backupFiles()).toSorted()
  const { file } = await json(madeSchema, 'backup', { KEEP: '1' })
  expect(file).not.toBe(unchecked)
  expect((await backupFiles()).toSorted()).toEqual([passed, file])
  expect((await operator.command('backup-check')).code).toBe(0)
  await operator.command('backup', { KEEP: '2' })
  expect(await backupFiles()).toHaveLength(2)
  expect(await backupFiles()).not.toContain(passed)
})

test('KEEP removes nothing while it is unknown which backups passed', { tags: ['verify'] }, async () => {
  const before = await backupFiles()
  const { stderr, code } = await operator.command('backup', { KEEP: '1', READ_MODEL_URL: 'redis://127.0.0.1:1' })
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('KEEP removes nothing, because it is unknown which backups passed their check\n'),
  })
  expect(await backupFiles()).toEqual(expect.arrayContaining(before))
})

test('a backup is checked with the local master key while the event store is down', { tags: ['verify'] }, async () => {
  const down = { EVENT_STORE_URL: 'esdb://127.0.0.1:2?tls=false' }
  const good = await operator.command('backup-check', down)
  expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/events, \d+ read models, all equal, /) })
  expect(good.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('…'))).toEqual([
    expect.stringMatching(
      /^The event store at \S+ cannot be used: .+\. The master key is compared with the backup only$/,
    ),
    'The backup is checked, but this is not recorded: The event store does not answer',
  ])

  const [name = ''] = await backupFiles()
  const wrong = { ...down, FROM: join(backups, name), MASTER_KEY: 'ab'.repeat(32) }
  expect(await operator.command('backup-check', wrong)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the available master key did not wrap its keys'),
  })
})

test('bad input is rejected in one line and changes nothing', { tags: ['verify'] }, async () => {
  const given = async (name: string, content: string | Buffer) => {
    const path = join(elsewhere.path, name)
    await writeFile(path, content)
    return path
  }
  const newest = await readFile(join(backups, (await backupFiles()).toSorted().at(-1) ?? ''))
  const damaged = Buffer.from(newest)
  damaged.writeUInt8(damaged.readUInt8(200_000) ^ 1, 200_000)
  const empty = join(elsewhere.path, 'empty')
  await mkdir(empty)
  const cases: readonly (readonly ['backup' | 'backup-check', Readonly<Record<string, string>>, RegExp])[] = [
    ['backup', { KEEP: 'all' }, /KEEP must be a whole number/],
    ['backup', { BACKUP_DIR: await given('file', '') }, /BACKUP_DIR/],
    ['backup', { DATA_DIR: empty }, /There is no event store/],
    ['backup', { EVENT_STORE_URL: 'esdb://127.0.0.1:1?tls=false' }, /The event store at esdb:\/\/127\.0\.0\.1:1/],
    ['backup-check', { FROM: '/nowhere' }, /FROM: there is no file/],
    ['backup-check', { FROM: await given('text', 'Hello') }, /is not a backup/],
    ['backup-check', { FROM: await given('cut-off', newest.subarray(0, 100_000)) }, /incomplete/],
    [
      'backup-check',
      { FROM: await given('damaged', damaged) },
      /damaged: events\.db\.gz has the SHA-256 [0-9a-f]{12}…, expected [0-9a-f]{12}…/,
    ],
  ]
  const before = await readdir(backups)
  for (const [name, settings, line] of cases) {
    const { code, stderr } = await operator.command(name, settings)
    expect({ settings, code, says: stderr }).toEqual({ settings, code: 1, says: expect.stringMatching(line) })
    expect(stderr.trim()).not.toContain('\n')
  }
  expect([await readdir(backups), await readdir(empty)]).toEqual([before, []])
})
