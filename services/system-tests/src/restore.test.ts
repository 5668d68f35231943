import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listUsers } from '@portal/contracts/auth/http'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openEventStore, openVault } from '@portal/platform/adapters/open-adapters'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callRoute, logIn, seededEmail, send, wholeInbox } from './testing/api-client.ts'
import { caughtUp, connectInbox, type InboxClient } from './testing/inbox-client.ts'
import { createOperator } from './testing/operator.ts'
import { eventually, newDataFolder, readDevMailbox } from './testing/portal-process.ts'
import {
  copyFilesOutsideBackup,
  startPortalWithHistory,
  type PortalWithHistory,
  readUserViews,
} from './testing/portal-with-history.ts'

/** A backup of a portal in use, and what becomes of it in an empty folder. Each step goes on where the one before ended. */
const learnerCount = 4
const patienceMs = 60_000
const target = await newDataFolder()
const work = await newDataFolder()

const restoredSchema = z.object({
  events: z.number(),
  erased: z.number(),
  expired: z.number(),
  readModels: z.array(z.object({ projection: z.string(), compared: z.number(), differences: z.array(z.unknown()) })),
})

let portal: PortalWithHistory
let backup: string
let before: Awaited<ReturnType<typeof readUserViews>>
let tab: InboxClient

const erasedNumber = 4
const staying = () => portal.learners.slice(0, erasedNumber - 1)

const operatorOf = (dataDir: string) => createOperator({ dataDir, settings: { BACKUP_DIR: work.path } })

/** What a portal records first, and then does, when a user is erased. */
const eraseAfterBackup = async (dataDir: string, userId: string) => {
  const files = dataFiles(dataDir)
  const eventStore = await openEventStore(`sqlite:${dataDir}/events.db`)
  const stream = `user-${userId}`
  let emailIndex: unknown
  for await (const { data } of eventStore.read(stream))
    emailIndex ??= z.object({ emailIndex: z.string() }).parse(data).emailIndex
  const event = { id: randomUUID(), type: 'UserErased', data: { userId, emailIndex } }
  expect(await eventStore.append(stream, 'any', [event])).toMatchObject({ kind: 'appended' })
  const vault = await openVault('sqlite:', {
    keysFile: files.userKeys,
    masterKeyFile: files.masterKey,
    erasuresFile: files.erasures,
  })
  await vault.erase(userId)
  await vault.close()
  await eventStore.close()
}

/** Epochs differ between read models that were built at different times. */
const withoutEpoch = (seen: typeof before) =>
  JSON.parse(JSON.stringify(seen, (key, value) => (key === 'epoch' ? undefined : value))) as unknown

describe('a backup that is restored into an empty folder', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    portal = await startPortalWithHistory(learnerCount)
    const { address, sender, folder } = portal
    tab = await connectInbox({ address, token: portal.learners[1]?.token ?? '' })
    before = await readUserViews(address, sender, staying())
    expect(await operatorOf(folder.path).command('backup')).toMatchObject({ code: 0 })
    const name = readdirSync(work.path).find((file) => file.endsWith('.backup'))
    backup = join(work.path, name ?? 'none')
    await portal.untilSettled([await portal.send('B0'), await portal.send('B1')])
    await portal.running().stop()
    await eraseAfterBackup(folder.path, portal.learners[erasedNumber - 1]?.userId ?? '')
    copyFilesOutsideBackup(folder.path, target.path)
  }, 240_000)
  afterAll(async () => {
    tab?.close()
    await portal?.remove()
    await target.remove()
    await work.remove()
  })

  it('RS-8 is rejected in one line without changes if it or the folder is invalid', { tags: ['verify'] }, async () => {
    const damaged = join(work.path, 'damaged.backup')
    const bytes = readFileSync(backup)
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 0x10
    writeFileSync(damaged, bytes)
    const noKey = join(work.path, 'no-key')
    const wrongKey = join(work.path, 'wrong-key')
    for (const folder of [noKey, wrongKey]) mkdirSync(folder)
    writeFileSync(join(wrongKey, 'master.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    const cases: readonly (readonly [string, Record<string, string>, RegExp])[] = [
      [target.path, {}, /^FROM must name a backup/],
      [target.path, { FROM: join(work.path, 'none.backup') }, /none\.backup is not a file$/],
      [target.path, { FROM: join(target.path, 'master.key') }, /master\.key is not a backup of a portal$/],
      [target.path, { FROM: backup, ERASURES: '/none.jsonl' }, /^ERASURES: there is no file at \/none\.jsonl$/],
      [target.path, { FROM: damaged }, /damaged\.backup is damaged: .* SHA-256 .* expected /],
      [portal.folder.path, { FROM: backup }, /^The event store is not empty: it contains events in .*events\.db/],
      [noKey, { FROM: backup }, /^There is no master key: /],
      [wrongKey, { FROM: backup }, /master\.key is not the master key of the backup: /],
      [target.path, { FROM: backup, EVENT_STORE_URL: 'esdb://127.0.0.1:1?tls=false' }, /^The event store at /],
    ]
    for (const [dataDir, settings, line] of cases) {
      const { code, stderr } = await operatorOf(dataDir).command('restore', settings)
      const says = stderr.trim()
      expect({ settings, code, says }).toEqual({ settings, code: 1, says: expect.stringMatching(line) })
      expect(says).not.toContain('\n')
      expect(existsSync(join(dataDir, 'restoring.json'))).toBe(false)
    }
    expect(readdirSync(target.path).filter((name) => /events|user-keys|read-models|restoring/.test(name))).toEqual([])
  })

  it('is restored, and every read model equals the one that served', async () => {
    const restored = await operatorOf(target.path).json(restoredSchema, 'restore', { FROM: backup })
    expect(restored).toMatchObject({ erased: 1, expired: 0 })
    expect(restored.events).toBeGreaterThan(0)
    expect(restored.readModels.filter(({ differences }) => differences.length > 0)).toEqual([])
    expect(restored.readModels.filter(({ compared }) => compared > 0).length).toBeGreaterThan(5)
    expect(existsSync(join(target.path, 'restoring.json'))).toBe(false)
  })

  it('shows everyone what they saw, lets them log in, and pushes nothing', async () => {
    await portal.restart(target.path)
    const { address, sender } = portal
    expect(withoutEpoch(await readUserViews(address, sender, staying()))).toEqual(withoutEpoch(before))
    for (const { email, userId } of staying())
      expect((await logIn(address, email, portal.password)).userId).toBe(userId)
    const health = await fetch(`${address}/health`)
    expect(health.status).toBe(200)
    const sent = await portal.send('C0', staying())
    await eventually(
      'the new one is pushed',
      async () => (await portal.pushesOf([sent], target.path))[0] === 1,
      patienceMs,
    )
    expect(
      (await readDevMailbox(target.path)).filter(({ link }) => link !== undefined && !link.endsWith(sent)),
    ).toEqual([])
  })

  it('lets open tabs resume after a reset', async () => {
    const { address, learners } = portal
    const token = learners[1]?.token ?? ''
    const idsOf = (items: readonly { readonly _id: string }[]) => items.map(({ _id }) => _id)
    const inbox = await wholeInbox(address, token)
    await caughtUp(tab, inbox, patienceMs)
    expect(idsOf(tab.items())).toEqual(idsOf(inbox.items))
    expect(tab.unread()).toBe(inbox.unread)
  })

  it('RS-6 does not revive users erased since: no login, not listed, and the address is free', async () => {
    const { address, sender } = portal
    const erased = portal.learners[erasedNumber - 1]
    const body = { personalEmail: seededEmail(erasedNumber), password: portal.password }
    expect(await send(address, 'POST', '/auth/login', { body })).toMatchObject({ status: 401 })
    const { users } = await callRoute(address, listUsers, { token: sender.token })
    expect(users.map(({ _id }) => _id)).not.toContain(erased?.userId)
    expect(await send(address, 'GET', '/notifications', { token: erased?.token ?? '' })).toMatchObject({ status: 401 })
  })

  it('is rejected while the portal runs', { tags: ['verify'] }, async () => {
    const { code, stderr } = await operatorOf(target.path).command('restore', { FROM: backup })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/is running: portal .* Stop it first\n$/),
    })
  })
})
