import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Timers } from '@portal/platform/async/timers'
import { createDiscontinuityStore, describeDiscontinuity } from '@portal/platform/discontinuity/discontinuity'
import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { reactorGroup } from '@portal/platform/generations/run-consumer'
import { loadConfig } from '@portal/platform/settings/config'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { writePidFile } from '@portal/platform/runtime/run-folder'
import { openReadModel } from '@portal/platform/adapters/open-adapters'
import { sampleBackup } from '@portal/platform/testing/backup/sample-backup'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkProcesses } from '../doctor/processes.ts'
import { pauseMs } from './catching-up.ts'
import { collectStatus } from './collect-status.ts'
import { statusText } from './present-status.ts'

let dataDir: string
let config: ReturnType<typeof loadConfig>
let closing: (() => unknown)[]
let store: EventStore
let recordedAt: Date

/** A data folder in use, with an empty log. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'status-'))
  config = loadConfig({ DATA_DIR: dataDir })
  recordedAt = new Date()
  store = openSqliteEventStore({ path: join(dataDir, 'events.db'), now: () => recordedAt })
  const folder = openDataFolder(dataDir)
  closing = [() => folder.release(), () => store.close(), () => rmSync(dataDir, { recursive: true })]
})
afterEach(async () => {
  for (const close of closing) await close()
})

const startProcess = async (name: string, status: number, report: object): Promise<Server> => {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(report)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  writePidFile(dataDir, name).serves(`http://127.0.0.1:${address.port}`)
  closing.unshift(() => server.close())
  return server
}
const look = () => collectStatus(config, new Date())
const gap = {
  consumer: 'projection:inbox',
  cause: 'read-model-older',
  missing: 'events behind position 7 are missing',
  since: '2026-11-22T10:00:00.000Z',
  noticedBy: 'portal',
} as const

it('is healthy if every process is', async () => {
  await startProcess('portal', 200, { status: 'ok', parts: { 'event-store': 'ok' }, discontinuities: [] })
  expect((await look()).problems).toEqual([])
  expect(await checkProcesses(config)).toMatchObject([{ result: 'ok' }])
})

it('[O7] says why a part is down', async () => {
  const reasons = ['event-store: The event store cannot write (database or disk is full)']
  await startProcess('portal', 503, { status: 'down', parts: { 'event-store': 'down' }, reasons })
  expect((await look()).problems).toEqual([
    'portal: the part event-store is down: The event store cannot write (database or disk is full)',
  ])
})

it('is not healthy if a part of a process is down', async () => {
  await startProcess('portal', 503, { status: 'down', parts: { 'event-store': 'down', bus: 'ok' } })
  const { isHealthy, problems } = await look()
  expect([isHealthy, problems]).toEqual([false, ['portal: the part event-store is down']])
  expect(await checkProcesses(config)).toMatchObject([{ result: 'fail', says: problems[0] }])
})

it('prints one problem after the verdict, and several on lines of their own', async () => {
  await startProcess('portal', 503, { status: 'down', parts: { bus: 'down' } })
  const status = await look()
  expect(statusText(status, false)).toMatch(/^Not healthy: portal: the part bus is down\.\n/)
  const problems = [...status.problems, "There is no event store: is DATA_DIR the portal's?"]
  expect(
    statusText({ ...status, problems }, false)
      .split('\n')
      .slice(0, 3),
  ).toEqual(['Not healthy:', '  portal: the part bus is down.', "  There is no event store: is DATA_DIR the portal's?"])
})

it('names an event that only a newer release can read, from the processes or the log', async () => {
  const unreadableEvents = ['Event type UserPromoted of category user at position 7 is unknown to this release']
  await startProcess('portal', 503, { status: 'down', parts: { bus: 'down' }, unreadableEvents })
  expect((await look()).problems).toEqual(['portal: the part bus is down', ...unreadableEvents])
  const userEvent = { id: '0199a2b0-0000-7000-8000-000000000001', type: 'UserDemoted', data: {} }
  await store.append('user-1', 'no-stream', [userEvent])
  expect((await look()).problems).toContainEqual(expect.stringContaining('Event type UserDemoted of category user'))
})

it('reports a process whose health is unknown', async () => {
  const server = await startProcess('auth', 200, {})
  server.close()
  writePidFile(dataDir, 'catalog')
  const { isHealthy, problems } = await look()
  expect([isHealthy, problems]).toEqual([
    false,
    [
      expect.stringMatching(/^The health of auth is unknown: http:.* does not answer/),
      'The health of catalog is unknown: its address is unknown: it is starting, or is an earlier version',
    ],
  ])
})

it('reports halted consumers with the line from health, even without a running process', async () => {
  const control = await openReadModel(config.readModelUrl, 'control')
  await createDiscontinuityStore(control).record(gap)
  await control.close()
  expect((await look()).problems).toEqual([describeDiscontinuity(gap)])
  await startProcess('portal', 503, {
    status: 'down',
    parts: { continuity: 'down' },
    discontinuities: [describeDiscontinuity(gap)],
  })
  const { discontinuities, problems } = await look()
  expect([discontinuities, problems]).toEqual([[describeDiscontinuity(gap)], [describeDiscontinuity(gap)]])
  expect(await checkProcesses(config)).toMatchObject([
    { result: 'ok' },
    { result: 'fail', says: describeDiscontinuity(gap) },
  ])
})

it('sees the cursor of a late consumer move', async () => {
  recordedAt = new Date(Date.now() - 5 * 86_400_000)
  const control = await openReadModel(config.readModelUrl, 'control')
  closing.unshift(() => control.close())
  await store.append(
    'university-directory',
    'any',
    [1, 2, 3].map((n) => ({
      id: randomUUID(),
      type: 'UniversityAdded',
      data: { universityId: randomUUID(), name: `University ${n}` },
    })),
  )
  const reactor = 'enrollment-notices'
  const moveTo = (row: number) => control.saveCursor(reactorGroup(reactor), '0', String(row).padStart(16, '0'))
  await moveTo(1)
  let nowMs = 0
  const schedule: Timers['schedule'] = (callback, delayMs) => {
    // A time limit, which is not reached.
    if (delayMs !== pauseMs) return () => undefined
    nowMs += delayMs
    void moveTo(2).then(callback)
    return () => undefined
  }
  const { consumers, problems } = await collectStatus(config, new Date(), { elapsedMs: () => nowMs, schedule })
  expect(consumers.find(({ consumer }) => consumer === reactor)?.lag).toMatchObject({ events: 1, leftMs: 0 })
  expect(problems).not.toContainEqual(expect.stringContaining(reactor))
  expect(problems).toContain('The consumer universities is more than 60 s behind')
})

it('is not healthy while the newest backup is empty', async () => {
  const backup = await sampleBackup(1)
  closing.unshift(backup.remove)
  await startProcess('portal', 200, { status: 'ok', parts: {}, discontinuities: [] })
  config = loadConfig({ DATA_DIR: dataDir, BACKUP_DIR: backup.folder })
  expect((await look()).problems).toEqual([])
  await truncate(backup.file, 0)
  expect((await look()).problems).toEqual([`The backup ${backup.file} is empty or damaged: run make backup`])
})

it('says that the data is gone, instead of that the portal is not running, if there are backups of it', async () => {
  const backup = await sampleBackup(1)
  closing.unshift(backup.remove)
  const gone = join(dataDir, 'gone')
  config = loadConfig({ DATA_DIR: gone, BACKUP_DIR: backup.folder })
  const { problems } = await look()
  expect(problems).toContainEqual(expect.stringContaining(`no event store at ${gone}/events.db, but BACKUP_DIR has`))
  expect(problems).not.toContain('The portal is not running')
  config = loadConfig({ DATA_DIR: gone, BACKUP_DIR: gone })
  expect((await look()).problems).toContain('The portal is not running')
})
