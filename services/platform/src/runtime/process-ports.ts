import type { Bus } from '../bus/port.ts'
import type { Publisher } from '../bus/publisher.ts'
import { olderLogReporter } from '../discontinuity/older-log.ts'
import type { EventStore } from '../event-store/port.ts'
import { makeBindRoute } from '../http/bind-route.ts'
import type { BindRoute } from '../http/handler.ts'
import { openRemoteKeys } from '../session/remote-keys.ts'
import { openRemoteSessionRecord } from '../session/remote-session-record.ts'
import { makeDenylist, sessionsProjectionRef } from '../session/session-denylist.ts'
import type { SessionRecord } from '../session/session-record.ts'
import { makeSessionVerifier, type VerificationKeys } from '../session/session-tokens.ts'
import type { AttemptLimiters } from '../limits/port.ts'
import { watchLastBackup } from '../backup/last-backup.ts'
import { observeBus } from '../observability/observe-bus.ts'
import { observeEventStore } from '../observability/observe-event-store.ts'
import { limitObservers } from '../observability/observe-limits.ts'
import { observeReadModel } from '../observability/observe-read-model.ts'
import { indexOnlyVault } from '../personal-data/index-only-vault.ts'
import type { PersonalDataVault } from '../personal-data/port.ts'
import type { Projection } from '../projection/projection.ts'
import { projectionKey, type ProjectionRef } from '../read-model/projection-key.ts'
import type { ReadModel } from '../read-model/port.ts'
import { openReadModels, type ReadModels } from '../generations/read-models.ts'
import { buildMissing } from '../generations/build-missing.ts'
import type { ReplayPorts } from '../generations/replay-ports.ts'
import { stampOf } from '../generations/generations.ts'
import { openMarks } from '../restore/open-marks.ts'
import { requireComplete } from '../restore/restore-mark.ts'
import type { SessionVerifier } from '../session/session.ts'
import { waitForDependency } from './wait-for-dependency.ts'
import type { PortalProcess } from './portal-process.ts'
import { readModelUrlOf } from '../files/storage-urls.ts'
import { requireServiceUrl } from './shared-engines.ts'
import {
  type BusParts,
  dropReadModel,
  openBus,
  openEventStore,
  openLimiters,
  openReadModel,
  openVault,
} from '../adapters/open-adapters.ts'

/** What the processes open, each of them what it needs. */
const openProcessEventStore = (process: PortalProcess, onOlder: (what: string) => void): Promise<EventStore> =>
  process.open('event store', true, async () =>
    observeEventStore(await openEventStore(process.config.eventStoreUrl, { onOlder }), process.observability),
  )

const openObserved = async (process: PortalProcess, namespace: string): Promise<ReadModel> =>
  observeReadModel(
    await openReadModel(readModelUrlOf(process.config, namespace), namespace, (what) =>
      process.logger.warn({ namespace, what }, 'read model went back to older data, going on from there'),
    ),
    process.observability.metrics,
    namespace,
  )

/** Those of the named projections, and the endings of sessions, which whoever answers requests looks up. */
export const openProcessReadModels = async (
  process: PortalProcess,
  projections: readonly ProjectionRef[],
): Promise<ReadModels> => {
  const readModels = await process.open('read models', true, () =>
    openReadModels({
      projections: [...projections, sessionsProjectionRef].map(projectionKey),
      open: (namespace) => openObserved(process, namespace),
      logger: process.logger,
      process: process.name,
    }),
  )
  process.watchContinuity(readModels.continuity)
  watchLastBackup(process.observability.metrics, readModels.control)
  return readModels
}

/** What a process reads of the log where the bus does not have it; none for one that only hears what comes from now on. */
export type ReadableLog = Pick<BusParts, 'eventStore' | 'publishers'>

/** Requests are still answered without it; what they changed shows later. */
export const openProcessBus = (process: PortalProcess, log: ReadableLog = { publishers: [] }): Promise<Bus> =>
  process.open('bus', false, async () =>
    observeBus(await openBus(process.config.busUrl, { ...log, logger: process.logger }), process.observability),
  )

const openProcessVault = async (process: PortalProcess, needs: VaultNeeds): Promise<PersonalDataVault> => {
  const { config, files, logger } = process
  if (needs === 'indexes' && config.indexKey !== undefined) return indexOnlyVault(config.indexKey)
  const open = async () => ({
    ...(await openVault(config.eventStoreUrl, {
      keysFile: files.userKeys,
      masterKeyFile: files.masterKey,
      masterKey: config.masterKey,
      erasuresFile: files.erasures,
    })),
    // What it keeps is in the event store, which is asked anyway.
    check: () => Promise.resolve(),
  })
  return process.keep('personal data', await waitForDependency('store of user keys', open, { logger }))
}

/** An outage later on is none of the limits: they go on in memory. */
const openProcessLimiters = async (process: PortalProcess, vault: PersonalDataVault): Promise<AttemptLimiters> => {
  const { config, clockAndIds, logger, observability } = process
  const open = async () => ({
    ...(await openLimiters(config.readModelUrl, {
      hashOf: (key) => vault.index('limit', key),
      elapsedMs: clockAndIds.elapsedMs,
      logger,
      ...limitObservers(observability.metrics),
    })),
    check: () => Promise.resolve(),
  })
  return process.keep('limits', await waitForDependency('limits', open, { logger }))
}

/** Before anything else is read from the store, or recorded there. */
const requireProcessStore = async ({ config, logger }: PortalProcess): Promise<void> => {
  const marks = await waitForDependency('event store', () => openMarks(config), { logger })
  try {
    await requireComplete(marks)
  } finally {
    await marks.close()
  }
}

const rebuildPorts = (
  { config, logger }: PortalProcess,
  log: EventStore,
  publishers: readonly Publisher[],
): ReplayPorts => ({
  log,
  publishers,
  open: (namespace) => openReadModel(readModelUrlOf(config, namespace), namespace),
  drop: (namespace) => dropReadModel(readModelUrlOf(config, namespace), namespace),
  busIsLog: config.busUrl.startsWith('memory:'),
  logger,
})

/** `indexes`: the process opens no personal data, and INDEX_KEY is enough for it. */
type VaultNeeds = 'personal-data' | 'indexes'

/**
 * What every service is built on: the log, its projections' read models, the bus, and the keys of personal data. `publishers` are
 * those of all topics that the process consumes.
 */
export const openServicePorts = async (
  process: PortalProcess,
  projections: readonly Projection[],
  publishers: readonly Publisher[],
  needs: VaultNeeds = 'personal-data',
) => {
  await requireProcessStore(process)
  const vault = await openProcessVault(process, needs)
  const olderLog = olderLogReporter()
  const eventStore = await openProcessEventStore(process, olderLog.onOlder)
  const readModels = await openProcessReadModels(process, projections)
  olderLog.reportTo(readModels.continuity)
  await buildMissing(rebuildPorts(process, eventStore, publishers), {
    projections,
    readModels,
    stamp: stampOf(process.clockAndIds.now()),
  })
  const bus = await openProcessBus(process, { eventStore, publishers })
  const limiters = await openProcessLimiters(process, vault)
  return { vault, eventStore, readModels, bus, limiters }
}

/** The keys that auth signs with, for everybody else. */
export const openProcessKeys = (process: PortalProcess): Promise<VerificationKeys> => {
  const authUrl = requireServiceUrl(process.config, 'auth')
  return process.open('signing keys', false, async () => openRemoteKeys({ authUrl, logger: process.logger }))
}

/** For a process without an event store. */
export const openProcessSessionRecord = (process: PortalProcess): SessionRecord =>
  openRemoteSessionRecord(requireServiceUrl(process.config, 'auth'))

export const verifySessions = (
  process: PortalProcess,
  signingKeys: VerificationKeys,
  readModels: ReadModels,
  record: SessionRecord,
): SessionVerifier =>
  makeSessionVerifier({
    signingKeys,
    now: process.clockAndIds.now,
    denylist: makeDenylist(readModels.of(sessionsProjectionRef)),
    record,
  })

export const bindFor = ({ config }: PortalProcess, sessions: SessionVerifier): BindRoute =>
  makeBindRoute({
    sessions,
    publicOrigin: config.http.publicOrigin,
    validateResponses: config.environment === 'test',
  })
