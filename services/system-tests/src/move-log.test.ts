/** @module-tag verify */
import { startStandIn } from '@portal/engines/event-store/start'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { logIn } from './testing/api-client.ts'
import { createOperator } from './testing/operator.ts'
import { eventually, newDataFolder, readDevMailbox } from './testing/portal-process.ts'
import {
  copyFilesOutsideBackup,
  startPortalWithHistory,
  type PortalWithHistory,
  readUserViews,
} from './testing/portal-with-history.ts'

/** A portal whose log moves to EventStoreDB, represented by the stand-in, and back. Each step goes on where the one before ended. */
const patienceMs = 60_000
const engine = await newDataFolder()
const target = await newDataFolder()
const movedSchema = z.object({ from: z.string(), to: z.string(), events: z.number(), readModels: z.array(z.string()) })

let portal: PortalWithHistory
let standIn: Awaited<ReturnType<typeof startStandIn>>
let url: string
let before: Awaited<ReturnType<typeof readUserViews>>

/** Epochs differ between read models that were built at different times. */
const withoutEpoch = (seen: typeof before): unknown =>
  JSON.parse(JSON.stringify(seen, (key, value: unknown) => (key === 'epoch' ? undefined : value)))
const see = () => readUserViews(portal.address, portal.sender, portal.learners)
const pushesIn = async (dataDir: string) =>
  (await readDevMailbox(dataDir)).filter(({ link }) => link !== undefined).length

describe('a log that moves', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    portal = await startPortalWithHistory(3)
    standIn = await startStandIn({ folder: engine.path })
    url = `esdb://127.0.0.1:${standIn.port}?tls=false`
    before = await see()
    await portal.running().stop()
  }, 240_000)
  afterAll(async () => {
    await portal?.remove()
    await standIn?.stop()
    await engine.remove()
    await target.remove()
  })

  it('is the same portal on EventStoreDB, where nothing old is pushed and new sends are', async () => {
    const { folder } = portal
    const pushed = await pushesIn(folder.path)
    const operator = createOperator({ dataDir: folder.path, settings: {} })
    const moved = await operator.json(movedSchema, 'move-log', { TO: url })
    expect(moved.events).toBeGreaterThan(0)
    await portal.restart(folder.path, { EVENT_STORE_URL: url })
    expect(withoutEpoch(await see())).toEqual(withoutEpoch(before))
    for (const { email } of portal.learners) await logIn(portal.address, email, portal.password)
    const sent = await portal.send('B0')
    await eventually('the new one is pushed', async () => (await portal.pushesOf([sent]))[0] === 1, patienceMs)
    expect(await pushesIn(folder.path)).toBe(pushed + 1)
    await portal.untilSettled([sent])
    before = await see()
  })

  it('is the same portal in a file again', async () => {
    await portal.running().stop()
    copyFilesOutsideBackup(portal.folder.path, target.path)
    const operator = createOperator({ dataDir: target.path, settings: { EVENT_STORE_URL: url } })
    const { events } = await operator.json(movedSchema, 'move-log', { TO: `sqlite:${target.path}/events.db` })
    expect(events).toBeGreaterThan(0)
    await portal.restart(target.path)
    expect(withoutEpoch(await see())).toEqual(withoutEpoch(before))
    for (const { email } of portal.learners) await logIn(portal.address, email, portal.password)
    expect((await fetch(`${portal.address}/health`)).status).toBe(200)
    const sent = await portal.send('C0')
    await eventually(
      'the new one is pushed',
      async () => (await portal.pushesOf([sent], target.path))[0] === 1,
      patienceMs,
    )
    expect(await pushesIn(target.path)).toBe(1)
  })
})
