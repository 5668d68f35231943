import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientToServer, InboxChanged, ServerToClient } from '@portal/contracts/notifications/socket'
import { createConnections } from '@portal/gateway/sockets/connections'
import { defaultSocketLimits } from '@portal/gateway/sockets/limits'
import { progressIn } from '@portal/gateway/sockets/progress'
import { createSeenCounter } from '@portal/gateway/sockets/seen-counter'
import { createSockets } from '@portal/gateway/sockets/socket-server'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import { createInboxReader } from '@portal/notifications/inbox/inbox-reader'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { createContentCache } from '@portal/notifications/inbox/content-cache'
import { notificationsPublishers } from '@portal/notifications/projections'
import { notificationIdAt, sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { openInProcessBus } from '@portal/platform/bus/in-process'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { runProjection } from '@portal/platform/generations/run-projection'
import { readModelsOn } from '@portal/platform/testing/generations/single-read-model'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { pino } from 'pino'
import { io, type Socket } from 'socket.io-client'
import { afterEach, expect, it } from 'vitest'
import { until } from '@portal/platform/testing/until'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

const logger = pino({ level: 'silent' })
const learner = userIdAt(1)
const stopping: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stopping.splice(0).toReversed()) await stop()
})

const openStores = () => {
  const folder = mkdtempSync(join(tmpdir(), 'late-projection-'))
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const readModel = openSqliteReadModel({ path: folder, namespace: 'inbox-main' })
  stopping.push(() => rmSync(folder, { recursive: true }), eventStore.close, readModel.close)
  const openBus = async () => {
    const bus = await openInProcessBus({ eventStore, publishers: notificationsPublishers, logger })
    stopping.push(bus.close)
    return bus
  }
  const send = async (n: number) => {
    const text = { notificationId: notificationIdAt(n), title: `T${n}`, message: 'm', type: 'General' } as const
    const known = { sentBy: userIdAt(0), userIds: [learner], knownUserIds: new Set([learner]) }
    const decided = campaignDecider.decide({ type: 'SendCampaign', text, ...known }, campaignDecider.initial)
    if (!decided.ok) throw new Error(decided.error.reason)
    const events = decided.value.map(({ type, data }) => ({ id: randomUUID(), type, data }))
    await eventStore.append(`campaign-${text.notificationId}`, 'no-stream', events)
  }
  return { readModel, openBus, send }
}
type Stores = ReturnType<typeof openStores>

/** A gateway like its process starts it, without its own projection. */
const startGateway = async ({ readModel, openBus }: Stores) => {
  const server = createServer()
  const connections = createConnections()
  const readModels = readModelsOn(readModel)
  const session = { userId: learner, sessionId: sessionIdAt(1), role: 'student' } as const
  const sockets = createSockets({
    server,
    bus: await openBus(),
    connections,
    seenCounter: createSeenCounter(connections),
    sessions: { verify: async () => ({ ...session, expiresAt: new Date(Date.now() + 3_600_000) }) },
    inbox: createInboxReader(readModel, { contentCache: createContentCache(readModel), fillTexts: plainTexts }),
    progress: { ...progressIn(readModels, inboxProjection), programsApplied: async () => true },
    campaigns: { progressOf: async (ids) => ids.map(() => undefined) },
    seen: () => undefined,
    limits: defaultSocketLimits,
    publicOrigin: undefined,
    now: () => new Date(),
    logger,
  })
  await sockets.start()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stopping.push(() => server.close(), sockets.stop)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

it('a gateway that starts while the inbox projection is behind sends its tabs new notifications', async () => {
  const stores = openStores()
  await stores.send(1)
  const port = await startGateway(stores)
  const messages: InboxChanged[] = []
  const options = { auth: { token: 'any' }, transports: ['websocket'], forceNew: true }
  const tab: Socket<ServerToClient, ClientToServer> = io(`http://127.0.0.1:${port}`, options)
  stopping.push(() => tab.close())
  tab.on('inbox:changed', (message) => messages.push(message))
  await until(() => expect(messages).toMatchObject([{ seq: 0, changes: [] }]))

  // The projecting process catches up now.
  const { readModel } = stores
  const running = await runProjection({ projection: inboxProjection, bus: await stores.openBus(), readModel, logger })
  stopping.push(running.stop)
  await until(() => expect(messages.at(-1)).toMatchObject({ seq: 1, changes: [{ seq: 1 }] }))
  await stores.send(2)
  await until(() => expect(messages.at(-1)).toMatchObject({ seq: 2, changes: [{ seq: 2 }] }))
})
