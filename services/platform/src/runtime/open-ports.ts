import { hostname } from 'node:os'
import { pid } from 'node:process'
import { watchLastBackup } from '../backup/last-backup.ts'
import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import { createOlderLogReporter } from '../discontinuity/continuity.ts'
import { createLogGuard, type LogGuard } from '../discontinuity/log-guard.ts'
import type { EventStore } from '../event-store/port.ts'
import { readModelUrlOf, shownAddressOf } from '../files/storage-urls.ts'
import { makeBindRoute } from '../http/bind-route.ts'
import type { RememberedAnswers } from '../idempotency/port.ts'
import type { AttemptLimiters } from '../limits/port.ts'
import { observeBus } from '../observability/observe-bus.ts'
import { observeEventStore } from '../observability/observe-event-store.ts'
import { limitObservers } from '../observability/observability.ts'
import { observeReadModel } from '../observability/observe-read-model.ts'
import { pushKeysFrom, type PushKeys } from '../outbound/web-push/push-keys.ts'
import { type DerivedKeys, deriveKeys, loadMasterKey } from '../personal-data/master-key.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import { requireUserKeys } from '../personal-data/require-user-keys.ts'
import type { Projection } from '../projection/projection.ts'
import { projectionKey, type ProjectionRef } from '../read-model/projection-key.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openReadModels, type ReadModels } from '../generations/read-models.ts'
import { buildMissing } from '../generations/build-missing.ts'
import type { ReplayPorts } from '../generations/run-with-replay-lock.ts'
import { stampOf } from '../generations/generations.ts'
import { openMarks } from '../restore/open-marks.ts'
import { requireComplete } from '../restore/restore-mark.ts'
import { openRemoteKeys } from '../session/remote-keys.ts'
import { apiKeysProjectionRef } from '../session/api-key.ts'
import { openApiKeyRecord } from '../session/api-key-record.ts'
import { makeApiKeyVerifier } from '../session/api-key-verifier.ts'
import {
  createTellAuth,
  openRemoteSessionRecord,
  openSessionRecord,
  type SessionRecord,
} from '../session/session-record.ts'
import { createSessionUses, type SessionUses } from '../session/session-uses.ts'
import { makeDenylist, sessionsProjectionRef } from '../session/session-denylist.ts'
import { makeSessionVerifier, type VerificationKeys } from '../session/session-tokens.ts'
import type { SessionVerifier } from '../session/session.ts'
import type { PortalProcess } from './portal-process.ts'
import type { ServiceHost } from './service.ts'
import { requireServiceUrl } from './startup-checks.ts'

/** Must run first: a store with an unfinished restore must not be used. */
const requireCompleteStore = async ({ config, openDependency }: PortalProcess): Promise<void> => {
  const marks = await openDependency('event store', () => openMarks(config))
  try {
    await requireComplete(marks)
  } finally {
    await marks.close()
  }
}

const openEventStore = (
  process: PortalProcess,
  guard: LogGuard,
  onOlder: (missing: string) => void,
): Promise<EventStore> =>
  process.open('event store', true, async () => {
    const { adapters, config, observability } = process
    const options = {
      onOlder: (missing: string) => guard.reportOlder(() => onOlder(missing)),
      verify: guard.verify,
    }
    return guard.protect(observeEventStore(await adapters.openEventStore(config.eventStoreUrl, options), observability))
  })

/**
 * A portal whose consumers all run in one process must be the only writer of its event store. SQLite locks its file. Processes that
 * share a bus share the work.
 */
const requireSoleWriter = async (process: PortalProcess, guard: LogGuard): Promise<void> => {
  const { topology, config } = process
  const { eventStoreUrl: url, busUrl } = config
  if (topology !== 'standalone' || !url.startsWith('esdb') || !busUrl.startsWith('memory:')) return
  const { becomeSoleWriter } = await import('../event-store/eventstoredb/sole-writer.ts')
  const where = `process ${pid} on ${hostname()}`
  const { verify, rejectCalls: onLost } = guard
  process.closeOnStop(
    'sole writer',
    await becomeSoleWriter({ url, address: shownAddressOf(url), where, verify, onLost }),
  )
}

/** Rejects if the read models were derived from another event store. */
const expectOwnLog = (guard: LogGuard, readModels: ReadModels, projections: readonly Projection[]): Promise<void> => {
  const isDerived = async (projection: Projection): Promise<boolean> =>
    readModels.isBuilt(projection) && Object.keys(await readModels.of(projection).positions(projection.name)).length > 0
  return guard.expect({
    control: readModels.control,
    hasData: async () => (await Promise.all(projections.map(isDerived))).includes(true),
  })
}

// The limiters and the remembered answers have no health part: during an outage they use the memory of the process.
const withoutCheck = <T extends { close(): Promise<void> }>(part: T) => ({ ...part, check: () => Promise.resolve() })

const openVault = async (process: PortalProcess): Promise<PersonalDataVault> => {
  const { adapters, config, files } = process
  const parts = {
    keysFile: files.userKeys,
    masterKeyFile: files.masterKey,
    masterKey: config.masterKey,
    erasuresFile: files.erasures,
  }
  const open = () => adapters.openVault(config.eventStoreUrl, parts)
  const vault = process.closeOnStop('personal data', await process.openDependency('store of user keys', open))
  // In EventStoreDB, the keys are part of the event store.
  if (config.eventStoreUrl.startsWith('sqlite:'))
    process.addHealthPart({ name: 'user-keys', isCritical: true, check: vault.check })
  return vault
}

const openLimiters = async (process: PortalProcess, vault: PersonalDataVault): Promise<AttemptLimiters> => {
  const { adapters, config, clockAndIds, logger, observability } = process
  const parts = {
    hashOf: (key: string) => vault.index('limit', key),
    elapsedMs: clockAndIds.elapsedMs,
    now: clockAndIds.now,
    logger,
    ...limitObservers(observability.metrics),
  }
  const open = async () => withoutCheck(await adapters.openLimiters(config.readModelUrl, parts))
  return process.closeOnStop('limits', await process.openDependency('limits', open))
}

const openAnswers = async ({
  adapters,
  config,
  logger,
  closeOnStop,
  openDependency,
}: PortalProcess): Promise<RememberedAnswers> => {
  const open = async () => withoutCheck(await adapters.openAnswers(config.readModelUrl, { logger }))
  return closeOnStop('remembered answers', await openDependency('remembered answers', open))
}

const openObserved =
  ({ adapters, config, logger, observability: { metrics } }: PortalProcess) =>
  async (namespace: string): Promise<ReadModel> => {
    const onOlder = (what: string): void =>
      logger.warn({ namespace, what }, 'read model went back to older data, continuing from there')
    const url = readModelUrlOf(config, namespace)
    return observeReadModel(await adapters.openReadModel(url, namespace, onOlder), metrics, namespace)
  }

/** Opens the read models of the projections and the session denylist. */
const openProcessReadModels = async (
  process: PortalProcess,
  projections: readonly ProjectionRef[],
): Promise<ReadModels> => {
  const keys = [...projections, sessionsProjectionRef].map(projectionKey)
  const { name, logger, observability } = process
  const { readModels } = await process.openDependency('read models', async () => {
    const opened = await openReadModels({ projections: keys, open: openObserved(process), logger, process: name })
    // Read models of new versions are built after this, so the start must not wait for them here.
    return { readModels: opened, check: opened.checkBuilt, close: opened.close }
  })
  process.closeOnStop('read models', readModels)
  process.addHealthPart({ name: 'read-models', isCritical: true, check: () => readModels.check() })
  process.watchContinuity(readModels.continuity)
  watchLastBackup(observability.metrics, readModels.control)
  return readModels
}

const replayPorts = (process: PortalProcess, log: EventStore, publishers: readonly Publisher[]): ReplayPorts => {
  const { adapters, config, logger } = process
  return {
    log,
    publishers,
    open: openObserved(process),
    drop: (namespace) => adapters.dropReadModel(readModelUrlOf(config, namespace), namespace),
    busIsLog: config.busUrl.startsWith('memory:'),
    logger,
  }
}

type ReadableLog = { readonly eventStore?: EventStore; readonly publishers: readonly Publisher[] }

/** Without an event store, consumers receive new messages only. */
const openBus = (process: PortalProcess, log: ReadableLog = { publishers: [] }): Promise<Bus> => {
  const { adapters, topology, config, logger, observability } = process
  // In a distributed portal, requests succeed without the bus. Their changes become visible later.
  const isCritical = topology === 'standalone'
  return process.open('bus', isCritical, async () =>
    observeBus(await adapters.openBus(config.busUrl, { ...log, logger }), observability),
  )
}

const verifySessions = (
  { clockAndIds, config }: PortalProcess,
  signingKeys: VerificationKeys,
  readModels: ReadModels,
  record: SessionRecord,
  uses?: SessionUses,
): SessionVerifier =>
  makeSessionVerifier({
    signingKeys,
    now: clockAndIds.now,
    denylist: makeDenylist(readModels.of(sessionsProjectionRef)),
    record,
    ...(uses && { idle: { limits: config.sessionIdle, uses, elapsedMs: clockAndIds.elapsedMs } }),
  })

/** Opens the verification keys, which auth publishes. */
export const openRemoteSigningKeys = async (
  process: PortalProcess,
): Promise<{ readonly signingKeys: VerificationKeys }> => {
  const authUrl = requireServiceUrl(process.config, 'auth')
  const open = async () => openRemoteKeys({ authUrl, logger: process.logger })
  return { signingKeys: await process.open('signing keys', false, open) }
}

/**
 * Keys that are derived from the master key, so that each process that has it has them, and a restored portal too. Call it once the
 * vault is open: the very first start creates the master key there.
 */
const openDerivedKeys = ({ config, files }: PortalProcess): DerivedKeys =>
  deriveKeys(config.masterKey ?? loadMasterKey(files.masterKey, false))

/** The keys of Web Push. */
export const openPushKeys = (process: PortalProcess): PushKeys => pushKeysFrom(openDerivedKeys(process).push)

/** The key of the tokens that end e-mails about notifications. */
export const openUnsubscribeKey = (process: PortalProcess): Uint8Array => openDerivedKeys(process).unsubscribe

type DataPortsOptions<Own> = {
  readonly projections: readonly Projection[]
  /** The publishers of all topics that the process consumes. */
  readonly publishers: readonly Publisher[]
  /** Opens the process's own dependencies, after the event store has been checked. */
  openOwn(process: PortalProcess): Promise<Own>
}

export type DataPorts = Omit<ServiceHost, 'sessions' | 'sessionUses' | 'bind'>

/**
 * Opens the event store, the vault, the read models, the bus and the limiters, and builds missing read models. If a step fails, the
 * stop steps of the process close what is open.
 */
export const openDataPorts = async <Own>(
  process: PortalProcess,
  { projections, publishers, openOwn }: DataPortsOptions<Own>,
): Promise<DataPorts & Own> => {
  const { config, files, clockAndIds, logger, securityLog, observability } = process
  await requireCompleteStore(process)
  const olderLog = createOlderLogReporter()
  const guard = createLogGuard({ address: shownAddressOf(config.eventStoreUrl), logger })
  process.addDiscontinuities(() => guard.problem() ?? [])
  const eventStore = await openEventStore(process, guard, olderLog.onOlder)
  const readModels = await openProcessReadModels(process, [...projections, apiKeysProjectionRef])
  // Before the vault, which writes to an empty event store.
  await expectOwnLog(guard, readModels, projections)
  await requireSoleWriter(process, guard)
  // Before the vault, which creates missing files.
  if (config.eventStoreUrl.startsWith('sqlite:')) await requireUserKeys(eventStore, files.userKeys)
  const vault = await openVault(process)
  const own = await openOwn(process)
  olderLog.reportTo(readModels.continuity)
  const stamp = stampOf(clockAndIds.now())
  await buildMissing(replayPorts(process, eventStore, publishers), { projections, readModels, stamp })
  const bus = await openBus(process, { eventStore, publishers })
  const limiters = await openLimiters(process, vault)
  const ports = { eventStore, vault, readModels, bus, limiters }
  return { config, clockAndIds, logger, securityLog, observability, ...ports, ...own }
}

/** Opens the ports of a process with routes. */
export const openServicePorts = async <Own extends { readonly signingKeys: VerificationKeys }>(
  process: PortalProcess,
  options: DataPortsOptions<Own>,
): Promise<ServiceHost & Own> => {
  const ports = await openDataPorts(process, options)
  const { environment, http, services } = process.config
  const sessionUses = createSessionUses(services.auth === undefined ? undefined : createTellAuth(services.auth))
  const record = openSessionRecord(ports.eventStore)
  const sessions = verifySessions(process, ports.signingKeys, ports.readModels, record, sessionUses)
  const apiKeys = makeApiKeyVerifier({
    readModel: ports.readModels.of(apiKeysProjectionRef),
    record: openApiKeyRecord(ports.eventStore),
    now: process.clockAndIds.now,
    logger: process.logger,
  })
  const { publicOrigin } = http
  const answers = await openAnswers(process)
  const bind = makeBindRoute({ sessions, apiKeys, publicOrigin, validateResponses: environment === 'test', answers })
  return { ...ports, sessions, sessionUses, bind }
}

type EdgePorts = Pick<ServiceHost, 'readModels' | 'bus' | 'sessions'>

/** Opens the ports of a process without an event store. It asks auth whether a session is open. */
export const openEdgePorts = async (
  process: PortalProcess,
  projections: readonly ProjectionRef[],
): Promise<EdgePorts> => {
  const readModels = await openProcessReadModels(process, projections)
  const bus = await openBus(process)
  const { signingKeys } = await openRemoteSigningKeys(process)
  const record = openRemoteSessionRecord(requireServiceUrl(process.config, 'auth'))
  return { readModels, bus, sessions: verifySessions(process, signingKeys, readModels, record) }
}
