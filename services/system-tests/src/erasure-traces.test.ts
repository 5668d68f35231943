import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eraseOwnAccount, erasePerson } from '@portal/contracts/auth/accounts'
import { createProgram } from '@portal/contracts/catalog/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRoute, logIn, registerLearner, send, type SignedIn, wholeInbox } from './testing/api-client.ts'
import { startDistributedPortal } from './testing/distributed-portal.ts'
import { createOperator, type Operator } from './testing/operator.ts'
import { filesIn, messagesInKafka, type Place, tracesIn, valuesInRedis } from './testing/personal-traces.ts'
import {
  leaveTraces,
  leaveTracesAsAdmin,
  leaveTracesOfPasskey,
  oberon,
  textsOf,
  zephyrine,
} from './testing/person-with-traces.ts'
import { admin, newDataFolder, startPortal } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

/** A portal with all places where it keeps or passes on data. */
type Scanned = {
  readonly address: string
  readonly dataDir: string
  readonly operator: Operator
  places(): Promise<readonly Place[]>
  stop(): Promise<void>
}

const settings = { SEEN_GRACE_MS: '0', LOG_LEVEL: 'debug' }

const standalone = async (): Promise<Scanned> => {
  const folder = await newDataFolder()
  const portal = await startPortal({ dataDir: folder.path, settings })
  return {
    address: portal.address,
    dataDir: folder.path,
    operator: createOperator({ dataDir: folder.path, settings: {} }),
    places: async () => [...(await filesIn(folder.path)), { name: 'log', bytes: Buffer.from(portal.output()) }],
    stop: async () => {
      expect(await portal.stop()).toBe(0)
      await folder.remove()
    },
  }
}

const prefixIn = (url = ''): string => new URL(url).searchParams.get('prefix') ?? ''

/** Its event store is the stand-in, whose files are in the portal's folder. */
const onEngines = async (): Promise<Scanned> => {
  const portal = await startDistributedPortal({ ...testEngines(), eventStoreUrl: undefined }, { settings })
  const { BUS_URL: bus = '', READ_MODEL_URL: redis = '' } = portal.settings
  return {
    address: portal.address,
    dataDir: portal.dataDir,
    operator: createOperator({ dataDir: portal.dataDir, settings: portal.settings }),
    places: async () => [
      ...(await filesIn(dirname(portal.dataDir))),
      ...(await valuesInRedis(redis, prefixIn(redis))),
      ...(await messagesInKafka(bus, prefixIn(bus))),
      { name: 'log', bytes: Buffer.from(portal.output()) },
    ],
    stop: async () => void expect(await portal.stop()).toBe(0),
  }
}

const leavesNoTraces = (start: () => Promise<Scanned>) => {
  let portal: Scanned
  let root: SignedIn
  let other: SignedIn
  let texts: readonly string[]
  const people: { readonly userId: string; readonly token: string }[] = []

  beforeAll(async () => {
    portal = await start()
    const { address } = portal
    root = await logIn(address, admin.email, admin.password)
    other = await registerLearner(portal, 7)
    const body = { programName: 'Minor in AI' }
    const program = await callRoute(address, createProgram, { token: root.token, body })
    const given = { root, programId: program.data._id }
    const learner = await leaveTraces(portal, zephyrine, given)
    const promoted = await leaveTraces(portal, oberon, given)
    const { token } = await leaveTracesAsAdmin(portal, oberon, promoted.userId, root)
    people.push(learner, { ...promoted, token })
    texts = [
      ...textsOf(zephyrine, learner.studentCode),
      ...(await leaveTracesOfPasskey(portal, zephyrine, learner.token)),
      ...textsOf(oberon, promoted.studentCode),
      ...(await leaveTracesOfPasskey(portal, oberon, token)),
    ]
    expect(await portal.operator.command('replay', { P: 'users' })).toMatchObject({ code: 0 })
    expect(await portal.operator.command('backup')).toMatchObject({ code: 0 })
  }, 240_000)
  afterAll(() => portal?.stop(), 60_000)

  const backups = () => readdirSync(join(portal.dataDir, 'backups')).filter((name) => name.endsWith('.backup'))

  it('finds them in the mailbox before, and nowhere else', async () => {
    const traces = tracesIn(await portal.places(), texts)
    expect(traces.filter((trace) => !/outbox\.jsonl/.test(trace))).toEqual([])
    for (const text of [zephyrine.email, zephyrine.formerNumber, zephyrine.pushToken, oberon.fullName])
      expect(traces.filter((trace) => trace.endsWith(`: ${text}`))).not.toEqual([])
  })

  it('finds nothing of them after they have deleted their account, or an admin has', async () => {
    const { address } = portal
    const [learner, promoted] = people
    const own = await callRoute(address, eraseOwnAccount, {
      token: learner?.token ?? '',
      body: { password: zephyrine.password },
    })
    const byAdmin = await callRoute(address, erasePerson, {
      token: root.token,
      params: { id: promoted?.userId ?? '' },
      body: { personalEmail: oberon.email, password: admin.password },
    })
    for (const { receipt } of [own, byAdmin])
      expect(receipt).toEqual({ id: expect.any(String), erasedAt: expect.any(String) })
    for (const { token } of people)
      expect(await send(address, 'GET', '/user/profile', { token })).toMatchObject({ status: 401 })
    expect(await portal.operator.command('backup')).toMatchObject({ code: 0 })
    expect(backups()).toHaveLength(2)
    const places = await portal.places()
    expect(places.length).toBeGreaterThan(5)
    expect(tracesIn(places, texts)).toEqual([])
    // The scan has read the messages of the others.
    expect(tracesIn(places, [other.email])).not.toEqual([])
  })

  it('can replay all projections afterwards, and serves', async () => {
    expect(await portal.operator.command('replay')).toMatchObject({ code: 0 })
    const { address } = portal
    expect((await wholeInbox(address, other.token)).items).toEqual([])
    expect((await fetch(`${address}/health`)).status).toBe(200)
    expect(await portal.operator.command('backup-forget')).toMatchObject({ code: 0 })
    expect(tracesIn(await portal.places(), texts)).toEqual([])
  })
}

describe('an erasure in one process', { timeout: 240_000 }, () => {
  leavesNoTraces(standalone)
})

describe('an erasure in six processes on engines', { timeout: 240_000, tags: ['verify'] }, () => {
  leavesNoTraces(onEngines)
})
