/** @module-tag verify */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startStandIn } from '@portal/engines/event-store/start'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, wholeInbox } from './testing/api-client.ts'
import { dropKafkaTopics, dropRedisKeys } from './testing/distributed-portal.ts'
import { createOperator } from './testing/operator.ts'
import { eventually, newDataFolder, readDevMailbox } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'
import { startPortalWithHistory, type PortalWithHistory, readUserViews } from './testing/portal-with-history.ts'

/**
 * A portal on Kafka and Redis, which keep what they hold while the log is restored from a backup, and then moves. Each step goes on
 * where the one before ended.
 */
const patienceMs = 60_000
const { kafkaUrl, redisUrl } = testEngines()
const prefix = `restore-${randomUUID().slice(0, 8)}`
const engines = {
  BUS_URL: `${kafkaUrl}${kafkaUrl.includes('?') ? '&' : '?'}partitions=2&prefix=${prefix}.`,
  READ_MODEL_URL: `${redisUrl}${redisUrl.includes('?') ? '&' : '?'}prefix=${prefix}`,
}
const backups = await newDataFolder()
const store = await newDataFolder()

let portal: PortalWithHistory
let standIn: Awaited<ReturnType<typeof startStandIn>>
let before: Awaited<ReturnType<typeof readUserViews>>

/** Epochs differ between read models that were built at different times. */
const withoutEpoch = (seen: typeof before): unknown =>
  JSON.parse(JSON.stringify(seen, (key, value: unknown) => (key === 'epoch' ? undefined : value)))
const see = () => readUserViews(portal.address, portal.sender, portal.learners)
const pushes = async () => (await readDevMailbox(portal.folder.path)).filter(({ link }) => link !== undefined).length
const operator = (settings: Readonly<Record<string, string>> = {}) =>
  createOperator({ dataDir: portal.folder.path, settings: { ...engines, BACKUP_DIR: backups.path, ...settings } })

/** What is sent now reaches every inbox, and the device of who is away. */
const expectToServe = async (title: string, pushedBefore: number) => {
  const health = async () => (await fetch(`${portal.address}/health`)).status === 200
  await eventually('health is well', health, patienceMs)
  for (const { email } of portal.learners) await logIn(portal.address, email, portal.password)
  const sent = await portal.send(title)
  for (const { token } of portal.learners) {
    const isThere = async () => (await wholeInbox(portal.address, token)).items[0]?._id === sent
    await eventually('it is in the inbox', isThere, patienceMs)
  }
  await eventually('it is pushed', async () => (await portal.pushesOf([sent]))[0] === 1, patienceMs)
  expect(await pushes()).toBe(pushedBefore + 1)
  await portal.untilSettled([sent])
}

describe('a portal whose Kafka and Redis outlive its log', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    portal = await startPortalWithHistory(3, engines)
    before = await see()
    expect(await operator().command('backup')).toMatchObject({ code: 0 })
    await portal.untilSettled([await portal.send('B0'), await portal.send('B1'), await portal.send('B2')])
    await portal.running().stop()
  }, 240_000)
  afterAll(async () => {
    await portal?.remove()
    await standIn?.stop()
    await Promise.all([dropRedisKeys(redisUrl, prefix), dropKafkaTopics(kafkaUrl, `${prefix}.`)])
    await backups.remove()
    await store.remove()
  })

  it('serves what the backup has, and nothing of what the engines hold besides', async () => {
    const { path } = portal.folder
    for (const name of readdirSync(path).filter((file) => /^(events|user-keys)\.db/.test(file)))
      rmSync(join(path, name))
    const pushed = await pushes()
    const file = readdirSync(backups.path).find((name) => name.endsWith('.backup')) ?? 'none'
    const restored = await operator().command('restore', { FROM: join(backups.path, file) })
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('all equal') })
    await portal.restart()
    expect(withoutEpoch(await see())).toEqual(withoutEpoch(before))
    await expectToServe('C0', pushed)
    before = await see()
  })

  it('serves the same from EventStoreDB', async () => {
    await portal.running().stop()
    const pushed = await pushes()
    standIn = await startStandIn({ folder: store.path })
    const moved = await operator({ EVENT_STORE_URL: `sqlite:${portal.folder.path}/events.db` }).command('move-log', {
      TO: standIn.url,
    })
    expect(moved).toMatchObject({ code: 0 })
    await portal.restart(portal.folder.path, { EVENT_STORE_URL: standIn.url })
    expect(withoutEpoch(await see())).toEqual(withoutEpoch(before))
    await expectToServe('D0', pushed)
  })
})
