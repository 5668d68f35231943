import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import * as openAdapters from '../adapters/open-adapters.ts'
import { noObservability } from '../observability/observability.ts'
import type { Projection } from '../projection/projection.ts'
import { openSigningKeys } from '../session/signing-keys.ts'
import { loadConfig } from '../settings/config.ts'
import { openServicePorts } from './open-ports.ts'
import { createPortalProcess, type PortalProcess } from './portal-process.ts'
import { startOrStop } from '@portal/platform/testing/runtime/start-or-stop'
import { runServices } from './run-services.ts'
import type { Edge, Service } from './service.ts'
import { stopInOrder } from './shutdown.ts'

const logger = pino({ level: 'silent' })
const listing: Projection = {
  name: 'listing',
  version: 1,
  topics: ['catalog'],
  partitionOf: () => 'all',
  apply: async () => [],
}

let folder: string
let occupied: Server
let closed: string[]
/** The step that fails. */
let failing: string | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'failed-start-'))
  occupied = createServer().listen(0, '127.0.0.1')
  await once(occupied, 'listening')
  // The first start builds the read models; later ones only open them.
  failing = undefined
  closed = []
  const { process } = await start()
  await stopInOrder(process.stopSteps, 5_000, logger)
})
afterAll(() => {
  occupied.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  closed = []
})

const reach = (step: string): void => {
  if (step === failing) throw new Error(`${step} failed`)
}
/** All read models close in one step. */
const note = (what: string): void => {
  if (closed.at(-1) !== what) closed.push(what)
}
const noted = <T extends { close(): Promise<void> }>(what: string, part: T): T => ({
  ...part,
  close: async () => {
    note(what)
    await part.close()
  },
})

/** The real adapters. Each can be made to fail, and records its close. */
const adapters: typeof openAdapters = {
  ...openAdapters,
  openEventStore: async (...given) => {
    reach('event store')
    return noted('event store', await openAdapters.openEventStore(...given))
  },
  openVault: async (...given) => {
    reach('personal data')
    return noted('personal data', await openAdapters.openVault(...given))
  },
  openReadModel: async (url, namespace, onOlder) => {
    reach(`read model ${namespace}`)
    return noted('read models', await openAdapters.openReadModel(url, namespace, onOlder))
  },
  openBus: async (...given) => {
    reach('bus')
    return noted('bus', await openAdapters.openBus(...given))
  },
  openLimiters: async (...given) => {
    reach('limits')
    return noted('limits', await openAdapters.openLimiters(...given))
  },
  startLogPublisher: async () => {
    reach('feed')
    return { isLeading: () => true, check: async () => {}, stop: async () => note('feed') }
  },
}

const service: Service = {
  name: 'catalog',
  publishers: [{ category: 'program', topics: ['catalog'], publish: () => [] }],
  projections: [listing],
  routes: () => reach('routes'),
  prepare: async () => {
    reach('preparation')
    return undefined
  },
  start: async () => reach('worker'),
  stop: async () => note('service'),
}
const edge: Edge = {
  rewriteUrl: ({ url = '/' }) => url,
  setUp: async (app) => {
    app.addHook('preClose', async () => note('http'))
    reach('edge')
    return { start: async () => reach('sockets') }
  },
}

const openOwn = async (process: PortalProcess) => {
  reach('own part')
  process.closeOnStop('own part', { close: async () => note('own part') })
  return { signingKeys: openSigningKeys({ file: process.files.sessionKeys, now: () => new Date(), logger }) }
}

const start = async () => {
  const port = failing === 'port' ? portOf(occupied) : '0'
  const config = loadConfig({ NODE_ENV: 'test', HOST: '127.0.0.1', PORT: port, DATA_DIR: folder })
  const { metrics, tracing } = noObservability()
  const observability = { metrics, tracing: { ...tracing, close: async () => note('traces') } }
  const process = createPortalProcess({
    name: 'portal',
    topology: 'standalone',
    config,
    logger,
    observability,
    adapters,
  })
  const started = await startOrStop(process, async () => {
    const { projections, publishers } = service
    const ports = await openServicePorts(process, { projections, publishers, openOwn })
    return runServices(process, ports, { services: [service], edge, beforeStart: async () => reach('sample data') })
  })
  return { process, started }
}

const portOf = (server: Server): string => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return String(address.port)
}

/** The order of the stop, which is the reverse of the order of the start. */
const stopOrder = [
  'http',
  'service',
  'feed',
  'limits',
  'bus',
  'own part',
  'personal data',
  'read models',
  'event store',
  'traces',
]

it('stops everything in reverse order', async () => {
  failing = undefined
  const { process, started } = await start()
  expect(started.address).toMatch(/^http:/)
  expect(await stopInOrder(process.stopSteps, 5_000, logger)).toBe('clean')
  expect(closed).toEqual(stopOrder)
})

it('a failed start stops what was started, from the last step on', async () => {
  const steps = [
    ['event store', 'traces'],
    ['read model control', 'event store'],
    ['read model listing-main', 'read models'],
    ['personal data', 'read models'],
    ['own part', 'personal data'],
    ['bus', 'own part'],
    ['limits', 'bus'],
    ['feed', 'limits'],
    ['edge', 'http'],
    ['routes', 'http'],
    ['preparation', 'http'],
    ['sample data', 'http'],
    ['sockets', 'http'],
    ['worker', 'http'],
  ] as const
  for (const [step, firstStopped] of steps) {
    failing = step
    closed = []
    await expect(start()).rejects.toThrow(`${step} failed`)
    expect([step, ...closed]).toEqual([step, ...stopOrder.slice(stopOrder.indexOf(firstStopped))])
  }
})

it('a port in use stops what was started', async () => {
  failing = 'port'
  await expect(start()).rejects.toThrow('EADDRINUSE')
  expect(closed).toEqual(stopOrder)
})
