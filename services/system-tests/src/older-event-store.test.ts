/** @module-tag verify */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as notifications from '@portal/contracts/notifications/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@portal/engines/free-port'
import { callRoute, logIn, seededEmail, type SignedIn, wholeInbox } from './testing/api-client.ts'
import {
  admin,
  eventually,
  inheritedEnvironment,
  newDataFolder,
  nodeBinary,
  type PortalProcess,
  readDevMailbox,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

/**
 * An operator restores the event store of the one-process portal from a backup and leaves the rest of the data folder as it was. Each
 * step of the test goes on where the one before has left the portal.
 */
const patienceMs = 60_000
const settings = { SEEN_GRACE_MS: '300' }
const data = await newDataFolder()

let port: number
let password: string
let portal: PortalProcess
let sender: SignedIn
let learner: SignedIn

const send = async (title: string): Promise<string> => {
  const body = { userIds: [learner.userId], title, message: 'Text', type: 'General' as const, isUrgent: true }
  const { notificationId } = await callRoute(portal.address, notifications.sendNotification, {
    token: sender.token,
    body,
  })
  return notificationId
}
const sendSeveral = async (series: string, count: number): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await send(`${series}${n}`))
  return ids
}
const health = async () => {
  const response = await fetch(`${portal.address}/health`)
  const report = (await response.json()) as { readonly discontinuities: readonly string[] }
  return { code: response.status, discontinuities: report.discontinuities }
}
const signIn = async () => {
  sender = await logIn(portal.address, admin.email, admin.password)
  learner = await logIn(portal.address, seededEmail(1), password)
}
const start = async () => {
  portal = await startPortal({ dataDir: data.path, port, settings })
  await signIn()
}
const titles = async () => (await wholeInbox(portal.address, learner.token)).items.map(({ title }) => title)
const pushesOf = async (ids: readonly string[]): Promise<readonly number[]> => {
  const lines = await readDevMailbox(data.path)
  return ids.map((id) => lines.filter(({ link }) => link?.endsWith(id)).length)
}
const untilPushed = (ids: readonly string[]) =>
  eventually('each is pushed', async () => (await pushesOf(ids)).every((count) => count > 0), patienceMs)
const sentHistory = async () => {
  const query = { page: 1, limit: 100 }
  const token = sender.token
  return (await callRoute(portal.address, notifications.listRecentNotifications, { token, query })).notifications
}
/** What was pushed and is not recorded in the event store would be pushed again by one that was restored. */
const untilPushesAreRecorded = (count: number) =>
  eventually(
    'each push is recorded',
    async () => {
      const recorded = (await sentHistory()).filter((sent) => 'progress' in sent && sent.progress.pushed === 1)
      return recorded.length === count
    },
    patienceMs,
  )

const replay = async (more: Readonly<Record<string, string>> = {}) => {
  const inherited = inheritedEnvironment()
  const child = spawn(nodeBinary, [join(repositoryRoot, 'services/ops/src/replay/main.ts')], {
    cwd: repositoryRoot,
    env: { ...inherited, ENGINES_DIR: join(data.path, 'engines'), DATA_DIR: data.path, PORT: String(port), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, output: chunks.join('') }
}

describe('an event store that is older than the read models', { timeout: 180_000 }, () => {
  const log = join(data.path, 'events.db')
  const backup = join(data.path, 'backup.db')
  let first: readonly string[]
  let meanwhile: readonly string[]

  beforeAll(async () => {
    port = await freePort()
    password = await seedLearners(data.path, 1)
    await start()
    await callRoute(portal.address, notifications.savePushToken, {
      token: learner.token,
      body: { token: 'the-device' },
    })
    first = await sendSeveral('A', 5)
    await untilPushesAreRecorded(first.length)
    const database = new DatabaseSync(log, { readOnly: true })
    database.exec(`VACUUM INTO '${backup}'`)
    database.close()
    await untilPushed(await sendSeveral('B', 5))
    await portal.stop()
    for (const suffix of ['-wal', '-shm', '']) rmSync(`${log}${suffix}`, { force: true })
    copyFileSync(backup, log)
  }, 180_000)
  afterAll(async () => {
    await portal?.kill()
    await data.remove()
  })

  it('lets the portal serve and reports the repair in one line', async () => {
    await start()
    const line = expect.stringMatching(/^event-log halted since .*Run: make replay$/)
    expect(await health()).toEqual({ code: 503, discontinuities: [line] })
    const output = portal.output()
    expect(output).toContain('Run: make replay')
    expect(output).not.toContain('    at ')
    expect(output).not.toContain('"stack"')
    // The start waits for those that catch up, and for no others.
    expect(output).not.toContain('still catching up')
  })

  it('is still reported after a restart and after the log has grown beyond the read models', async () => {
    meanwhile = await sendSeveral('C', 12)
    expect((await health()).code).toBe(503)
    expect(await titles()).not.toContain('C0')
    await portal.stop()
    await start()
    expect((await health()).discontinuities).toHaveLength(1)
    meanwhile = [...meanwhile, ...(await sendSeveral('D', 3))]
  })

  it('rejects a partial repair', async () => {
    const { code, output } = await replay({ P: 'inbox' })
    expect(code).toBe(1)
    expect(output.trim().split('\n').at(-1)).toMatch(/^The event store is older .* Run: make replay$/)
    expect(output).not.toContain('    at ')
  })

  it('is repaired by make replay without a restart, including sends since', async () => {
    const { code, output } = await replay()
    expect({ code, output }).toMatchObject({ code: 0 })
    await eventually('health is well', async () => (await health()).code === 200, patienceMs)
    const last = await send('E0')
    const sent = [...first, ...meanwhile, last]
    await eventually('all is shown', async () => (await titles()).length === sent.length, patienceMs)
    const shown = await wholeInbox(portal.address, learner.token)
    expect(new Set(shown.items.map(({ _id }) => _id))).toEqual(new Set(sent))
    await untilPushed(sent)
    expect(await pushesOf(sent)).toEqual(sent.map(() => 1))
    expect(new Set((await sentHistory()).map(({ _id }) => _id))).toEqual(new Set(sent))
  })

  it('stays healthy after a restart', async () => {
    await portal.stop()
    await start()
    expect(await health()).toEqual({ code: 200, discontinuities: [] })
  })
})
