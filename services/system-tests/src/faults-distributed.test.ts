/** @module-tag verify */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  listNotifications,
  listRecentNotifications,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Engine } from '@portal/dev-cluster/engines/engine'
import { startKafka } from '@portal/dev-cluster/engines/kafka'
import { startRedis } from '@portal/dev-cluster/engines/redis'
import { callRoute, logIn, registerLearner, type SignedIn } from './testing/api-client.ts'
import { type DistributedPortal, processNames, startDistributedPortal } from './testing/distributed-portal.ts'
import {
  admin,
  eventually,
  inheritedEnvironment,
  nodeBinary,
  readDevMailbox,
  repositoryRoot,
} from './testing/portal-process.ts'
import {
  type ConnectedUsers,
  expectConverged,
  connectUsers,
  sendDuringDisruptions,
} from './testing/send-under-disruption.ts'

/**
 * Faults of processes and engines, on a separate Kafka and Redis. In each case answered sends are in every inbox
 * exactly once, counts equal lists, and open tabs at both gateways converge.
 */
const learnerCount = 3
const kafkaDownMs = 20_000

let folder: string
let kafka: Engine
let redis: Engine
let portal: DistributedPortal
let users: ConnectedUsers
let sent: ReadonlySet<string> = new Set()
/** A learner without an open tab. */
let offline: SignedIn
const device = 'the-device'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-'))
  ;[kafka, redis] = await Promise.all([
    startKafka({ folder: join(folder, 'kafka') }),
    startRedis({ folder: join(folder, 'redis') }),
  ])
  portal = await startDistributedPortal({ kafkaUrl: kafka.url, redisUrl: redis.url })
  const { address } = portal
  const learners = []
  offline = await registerLearner(portal, learnerCount + 1)
  await callRoute(address, savePushToken, { token: offline.token, body: { token: device } })
  for (let n = 1; n <= learnerCount; n++) learners.push(await registerLearner(portal, n))
  // The balancer goes round, so that of two tabs each is at another gateway.
  users = await connectUsers({ address, learners, tabs: [address, address] })
}, 180_000)
afterAll(async () => {
  users?.close()
  expect(await portal?.stop()).toBe(0)
  await Promise.all([kafka?.stop(), redis?.stop()])
  await rm(folder, { recursive: true, force: true })
}, 60_000)

/** Sends with unique keys, and adds the answered ones to the expected ones. */
const storm = async (
  name: string,
  sendCount: number,
  disruptions: Parameters<typeof sendDuringDisruptions>[0]['disruptions'],
) => {
  const answered = await sendDuringDisruptions({ address: portal.address, users, name, sendCount, disruptions })
  sent = new Set([...sent, ...answered])
}

const gatewaysOf = ({ learners }: ConnectedUsers): ReadonlySet<string> =>
  new Set(learners.flatMap(({ clients }) => clients.map(({ socket }) => socket.io.engine.id.split('.')[0] ?? '')))

const healthOf = async (address: string) => healthSchema.parse(await (await fetch(`${address}/health`)).json())
const healthSchema = z.object({ discontinuities: z.array(z.string()) })

/** `make replay`, as an operator starts it. */
const replay = async (): Promise<{ readonly code: unknown; readonly output: string }> => {
  const inherited = inheritedEnvironment()
  const child = spawn(nodeBinary, [join(repositoryRoot, 'services/ops/src/replay/main.ts')], {
    cwd: repositoryRoot,
    env: { ...inherited, ...portal.settings, JSON: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  const [code]: unknown[] = await once(child, 'close')
  return { code, output: chunks.join('') }
}

const sendToDevice = async (title: string): Promise<string> => {
  const { token } = await logIn(portal.address, admin.email, admin.password)
  const body = { userIds: [offline.userId], title, message: 'Please come to room 12.', type: 'General' }
  return (await callRoute(portal.address, sendNotification, { token, body })).notificationId
}

/** Expects one push to the device, and a send without pending recipients. */
const expectPushed = async (notificationId: string): Promise<void> => {
  const pushes = async () =>
    (await readDevMailbox(portal.dataDir)).filter(
      ({ to, link }) => to === device && link?.endsWith(notificationId) === true,
    )
  await eventually('it is pushed', async () => (await pushes()).length > 0, 60_000)
  const { token } = await logIn(portal.address, admin.email, admin.password)
  await eventually(
    'its outcome shows',
    async () => {
      const { notifications } = await callRoute(portal.address, listRecentNotifications, {
        token,
        query: { limit: 50 },
      })
      return notifications.some((one) => 'progress' in one && one._id === notificationId && one.progress.pushed === 1)
    },
    30_000,
  )
  expect(await pushes()).toHaveLength(1)
}

describe('separate processes under faults', { timeout: 300_000 }, () => {
  test('survive a kill of each process during 200 sends', async () => {
    expect(gatewaysOf(users)).toEqual(new Set(['gateway-1', 'gateway-2']))
    const disruptions = processNames.map((name, index) => ({
      afterAnswers: 10 + index * 32,
      run: async () => {
        const pid = await portal.pidOf(name)
        await portal.kill(name)
        await portal.waitForRestart(name, pid)
      },
    }))
    await storm('killed', 200, disruptions)
    await expectConverged(portal.address, users, sent)
  })

  test('survive a Kafka outage of 20 seconds during sends', async () => {
    const away = async () => {
      await kafka.stop()
      await pause(kafkaDownMs)
      await kafka.restart()
    }
    await storm('kafka', 60, [{ afterAnswers: 20, run: away }])
    await expectConverged(portal.address, users, sent)
  })

  test('survive a kill of Redis', async () => {
    const away = async () => {
      await redis.kill()
      await pause(2_000)
      await redis.restart()
    }
    await storm('redis', 60, [{ afterAnswers: 20, run: away }])
    await expectConverged(portal.address, users, sent)
  })

  test('recover by a replay after Redis lost its data', async () => {
    const client = createClient({ url: redis.url })
    await client.connect()
    await client.flushAll()
    client.destroy()
    // Never an empty inbox: it is said that there is none at the moment, and what to do.
    await eventually('the loss is on record', async () => {
      const { discontinuities } = await healthOf(portal.address)
      return ['inbox', 'ledger'].every((name) => discontinuities.some((line) => line.endsWith(`make replay P=${name}`)))
    })
    const { token } = users.learners[0] ?? { token: '' }
    const query = { page: 1, limit: 20 }
    await expect(callRoute(portal.address, listNotifications, { token, query })).rejects.toThrow(/503/)
    expect(await replay()).toMatchObject({ code: 0 })
    await storm('emptied', 20, [])
    await expectConverged(portal.address, users, sent)
    await expectPushed(await sendToDevice('pushed without a restart'))
    await eventually('health is well', async () => (await healthOf(portal.address)).discontinuities.length === 0)
  })
})
