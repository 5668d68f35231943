/** @module-tag verify */
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as notifications from '@portal/contracts/notifications/http'
import { type StandIn, startStandIn } from '@portal/engines/event-store/start'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, registerLearner, send as call, type SignedIn, wholeInbox } from './testing/api-client.ts'
import { connectInbox, type InboxClient } from './testing/inbox-client.ts'
import { createOperator, type Operator } from './testing/operator.ts'
import { admin, eventually, newDataFolder, type PortalProcess, startPortal } from './testing/portal-process.ts'

/**
 * The portal in one process on EventStoreDB, whose data is exchanged while the portal runs. Each step of the test goes on where the one
 * before has left the portal.
 */
const patienceMs = 60_000
const sendPath = notifications.sendNotification.path
const isEmptyLine = /^The event store at \S+ is empty, but this portal has data\. Check the volume or mount.*$/

const root = await mkdtemp(join(tmpdir(), 'exchanged-'))
const own = join(root, 'own')
const older = join(root, 'older')
const data = await newDataFolder()

let server: StandIn
let portal: PortalProcess
let operator: Operator
let sender: SignedIn
let learner: SignedIn
let tab: InboxClient

const settings = () => ({ EVENT_STORE_URL: server.url, SEEN_GRACE_MS: '300' })

/** Another server, with the data of this folder, takes the place of the running one. */
const exchange = async (folder: string): Promise<void> => {
  const { port } = server
  await server.stop('SIGKILL')
  server = await startStandIn({ folder, port })
}
const bodyOf = (title: string) => ({ userIds: [learner.userId], title, message: 'Text', type: 'General' as const })
const send = async (title: string): Promise<string> => {
  const { token } = sender
  const sent = await callRoute(portal.address, notifications.sendNotification, { token, body: bodyOf(title) })
  return sent.notificationId
}
const trySend = async (title: string): Promise<number> => {
  const headers = { 'idempotency-key': randomUUID() }
  return (await call(portal.address, 'POST', sendPath, { token: sender.token, body: bodyOf(title), headers })).status
}
const health = async () => {
  const response = await fetch(`${portal.address}/health`)
  const report = (await response.json()) as { readonly discontinuities: readonly string[] }
  return { code: response.status, lines: report.discontinuities }
}
const untilHealthy = () =>
  eventually('health is well', async () => (await health()).code === 200 || undefined, patienceMs)
const untilShown = (id: string) =>
  eventually('the open tab shows it', () => tab.items().some(({ _id }) => _id === id) || undefined, patienceMs)

describe('an event store that is exchanged under the portal in one process', { timeout: 180_000 }, () => {
  beforeAll(async () => {
    server = await startStandIn({ folder: own })
    portal = await startPortal({ dataDir: data.path, settings: settings() })
    operator = createOperator({
      dataDir: data.path,
      settings: { EVENT_STORE_URL: server.url, PORT: new URL(portal.address).port },
    })
    sender = await logIn(portal.address, admin.email, admin.password)
    learner = await registerLearner({ address: portal.address, dataDir: data.path }, 1)
    tab = await connectInbox({ address: portal.address, token: learner.token })
    await untilShown(await send('A0'))
    const { port } = server
    await server.stop()
    await cp(own, older, { recursive: true })
    server = await startStandIn({ folder: own, port })
    await untilHealthy()
    await untilShown(await send('B0'))
  }, 180_000)
  afterAll(async () => {
    tab?.close()
    await portal?.kill()
    await server?.stop('SIGKILL')
    await data.remove()
    await rm(root, { recursive: true })
  })

  it('saves nothing into an empty one, says what to check, and advises no replay', async () => {
    await exchange(join(root, 'empty'))
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => trySend(`C${n}`)))
    expect(answers).toEqual(answers.map(() => 503))
    const { lines } = await eventually('health names it', async () => {
      const report = await health()
      return report.lines.length > 0 && report
    })
    expect(lines).toEqual([expect.stringMatching(isEmptyLine)])
    const refused = await call(portal.address, 'POST', sendPath, { token: sender.token, body: bodyOf('C8') })
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('cannot be saved') } })
    const replayed = await operator.command('replay')
    expect({ code: replayed.code, line: replayed.stderr.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      line: expect.stringMatching(isEmptyLine),
    })
    const status = await operator.command('status')
    expect(status.stdout).toContain(' is empty, but this portal has data')
    expect(status.stdout + (await operator.command('doctor')).stdout).not.toContain('make replay')
  })

  it('does not start on it', async () => {
    await portal.stop()
    const started = startPortal({
      dataDir: data.path,
      port: Number(new URL(portal.address).port),
      settings: settings(),
    })
    await expect(started).rejects.toThrow(/ended with 1 instead of starting:\nThe event store at \S+ is empty/)
  })

  it("goes on when the portal's own is back", async () => {
    await exchange(own)
    portal = await startPortal({
      dataDir: data.path,
      port: Number(new URL(portal.address).port),
      settings: settings(),
    })
    await exchange(join(root, 'empty'))
    await eventually('a send is refused', async () => (await trySend('C9')) === 503 || undefined)
    await exchange(own)
    await untilHealthy()
    await untilShown(await send('D0'))
    expect((await wholeInbox(portal.address, learner.token)).items.map(({ title }) => title)).toEqual([
      'D0',
      'B0',
      'A0',
    ])
  })

  it('is repaired by make replay after an older copy, without a restart and without a reload', async () => {
    await exchange(older)
    const { lines } = await eventually('health names it', async () => {
      const report = await health()
      return report.lines.length > 0 && report
    })
    expect(lines).toEqual([expect.stringMatching(/^event-log halted since .*Run: make replay$/)])
    const meanwhile = await send('E0')
    const { code, stdout, stderr } = await operator.command('replay')
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 })
    await untilHealthy()
    await untilShown(meanwhile)
    const next = await send('F0')
    await untilShown(next)
    expect((await wholeInbox(portal.address, learner.token)).items.map(({ title }) => title)).toEqual([
      'F0',
      'E0',
      'A0',
    ])
    expect(new Set(tab.items().map(({ title }) => title))).toEqual(new Set(['F0', 'E0', 'A0']))
  })

  it('is not shared with a second portal in one process, and survives a kill', async () => {
    const second = await newDataFolder()
    try {
      const started = startPortal({ dataDir: second.path, settings: settings() })
      await expect(started).rejects.toThrow(
        /ended with 1 instead of starting:\nAnother portal \(process \d+ on \S+, since \S+\) writes to the event store/,
      )
    } finally {
      await second.remove()
    }
    await untilHealthy()
    await portal.kill()
    portal = await startPortal({ dataDir: data.path, settings: settings() })
    await untilHealthy()
    await send('G0')
  })
})
