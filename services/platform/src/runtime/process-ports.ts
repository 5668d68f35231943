import type { Bus } from '../bus/port.ts'
import type { EventStore } from '../event-store/port.ts'
import { makeBindRoute } from '../http/bind-route.ts'
import type { BindRoute } from '../http/handler.ts'
import { openRemoteKeys } from '../http/remote-keys.ts'
import { makeIsEnded, sessionsProjectionName } from '../http/session-endings.ts'
import { makeSessionVerifier, type VerificationKeys } from '../http/session-tokens.ts'
import type { SessionVerifier } from '../http/session.ts'
import { observeBus } from '../observability/observe-bus.ts'
import { observeEventStore } from '../observability/observe-event-store.ts'
import { observeReadModel } from '../observability/observe-read-model.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openReadModels, type ReadModels } from '../read-model/read-models.ts'
import { openWhenUp } from './open-when-up.ts'
import type { PortalProcess } from './portal-process.ts'
import { requireServiceUrl } from './shared-engines.ts'
import { openBus, openEventStore, openReadModel, openVault } from './wire.ts'

/** What the processes open, each of them what it needs. */
const openProcessEventStore = (process: PortalProcess): Promise<EventStore> =>
  process.open('event store', true, async () =>
    observeEventStore(await openEventStore(process.config.eventStoreUrl), process.observability),
  )

const openObserved = async (process: PortalProcess, namespace: string): Promise<ReadModel> =>
  observeReadModel(
    await openReadModel(process.config.readModelUrl, namespace),
    process.observability.metrics,
    namespace,
  )

/** Those of the named projections, and the endings of sessions, which whoever answers requests looks up. */
export const openProcessReadModels = (process: PortalProcess, projections: readonly string[]): Promise<ReadModels> =>
  process.open('read models', true, () =>
    openReadModels({
      projections: [...new Set([...projections, sessionsProjectionName])],
      open: (namespace) => openObserved(process, namespace),
      logger: process.logger,
    }),
  )

/** The delivery ledger: a namespace of its own, which no replay touches. */
export const openProcessLedger = (process: PortalProcess): Promise<ReadModel> =>
  process.open('delivery ledger', true, () => openObserved(process, 'ledger'))

type BusStore = Pick<EventStore, 'subscribe' | 'end' | 'check'>

/** For a process that only hears: its bus is never the log's own tail, or it would need the log. */
const noStore = (): never => {
  throw new Error('This process has no event store')
}
const withoutStore: BusStore = { subscribe: noStore, end: noStore, check: noStore }

/** Requests are still answered without it; what they changed shows later. */
export const openProcessBus = (process: PortalProcess, eventStore: BusStore = withoutStore): Promise<Bus> =>
  process.open('bus', false, async () =>
    observeBus(
      await openBus(process.config.busUrl, { eventStore, publishers: [], logger: process.logger }),
      process.observability,
    ),
  )

const openProcessVault = async (process: PortalProcess): Promise<PersonalDataVault> => {
  const { config, files, logger } = process
  const open = async () => ({
    ...(await openVault(config.eventStoreUrl, {
      keysFile: files.userKeys,
      masterKeyFile: files.masterKey,
      masterKey: config.masterKey,
    })),
    // What it keeps is in the event store, which is asked anyway.
    check: () => Promise.resolve(),
  })
  return process.keep('personal data', await openWhenUp('store of user keys', open, { logger }))
}

/** What every service is built on: the log, its projections' read models, the bus, and the keys of personal data. */
export const openServicePorts = async (process: PortalProcess, projections: readonly { readonly name: string }[]) => {
  const vault = await openProcessVault(process)
  const eventStore = await openProcessEventStore(process)
  const readModels = await openProcessReadModels(
    process,
    projections.map(({ name }) => name),
  )
  const bus = await openProcessBus(process, eventStore)
  return { vault, eventStore, readModels, bus }
}

/** The keys that auth signs with, for everybody else. */
export const openProcessKeys = (process: PortalProcess): Promise<VerificationKeys> => {
  const authUrl = requireServiceUrl(process.config, 'auth')
  return process.open('signing keys', false, async () => openRemoteKeys({ authUrl, logger: process.logger }))
}

export const verifySessions = (
  process: PortalProcess,
  keyRing: VerificationKeys,
  readModels: ReadModels,
): SessionVerifier =>
  makeSessionVerifier({
    keyRing,
    now: process.sources.now,
    isEnded: makeIsEnded(readModels.of({ name: sessionsProjectionName })),
  })

export const bindFor = ({ config }: PortalProcess, sessions: SessionVerifier): BindRoute =>
  makeBindRoute({
    sessions,
    publicOrigin: config.http.publicOrigin,
    validateResponses: config.environment === 'test',
  })
