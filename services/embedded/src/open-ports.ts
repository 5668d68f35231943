import type { Bus } from '@portal/platform/bus/port'
import type { Publisher } from '@portal/platform/bus/publisher'
import { olderLogReporter } from '@portal/platform/discontinuity/older-log'
import type { EventStore } from '@portal/platform/event-store/port'
import type { AttemptLimiters } from '@portal/platform/limits/port'
import { type Observability, unobserved } from '@portal/platform/observability/observability'
import { observeBus } from '@portal/platform/observability/observe-bus'
import { observeEventStore } from '@portal/platform/observability/observe-event-store'
import { limitObservers } from '@portal/platform/observability/observe-limits'
import { observeReadModel } from '@portal/platform/observability/observe-read-model'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound, type Outbound } from '@portal/platform/outbound/open-outbound'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { requireUserKeys } from '@portal/platform/personal-data/require-user-keys'
import type { Projection } from '@portal/platform/projection/projection'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openReadModels, type ReadModels } from '@portal/platform/generations/read-models'
import { buildMissing } from '@portal/platform/generations/build-missing'
import { stampOf } from '@portal/platform/generations/generations'
import { requireCompleteStore } from '@portal/platform/restore/open-marks'
import { openSecurityLog } from '@portal/platform/security-log/open-security-log'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { readModelUrlOf } from '@portal/platform/files/storage-urls'
import type { StopStep } from '@portal/platform/runtime/shutdown'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import {
  dropReadModel,
  openBus,
  openEventStore,
  openLimiters,
  openReadModel,
  openVault,
} from '@portal/platform/adapters/open-adapters'
import { type SigningKeys, openSigningKeys } from '@portal/platform/session/signing-keys'
import type { Logger } from 'pino'

export type Ports = {
  readonly eventStore: EventStore
  readonly bus: Bus
  readonly readModels: ReadModels
  readonly vault: PersonalDataVault
  readonly limiters: AttemptLimiters
  readonly signingKeys: SigningKeys
  readonly outbound: Outbound
  readonly securityLog: SecurityLog
  /** What they are observed with. */
  readonly observability: Observability
  /** In the order in which they are to be closed. */
  readonly closing: readonly StopStep[]
}

export type PortOptions = {
  readonly config: Config
  readonly publishers: readonly Publisher[]
  readonly projections: readonly Projection[]
  readonly clockAndIds: ClockAndIds
  readonly logger: Logger
  readonly observability?: Observability
}

/** Opens what everything is kept in. When one of them cannot be opened, those before it are closed again. */
export const openPorts = async (options: PortOptions): Promise<Ports> => {
  const { config, publishers, projections, clockAndIds, logger, observability = unobserved() } = options
  const { metrics } = observability
  const files = dataFiles(config.dataDir)
  const closing: StopStep[] = []
  const opened = <T extends { close(): Promise<void> }>(name: string, port: T): T => {
    closing.unshift({ name, stop: () => port.close() })
    return port
  }
  const observedReadModel = async (namespace: string): Promise<ReadModel> =>
    observeReadModel(await openReadModel(readModelUrlOf(config, namespace), namespace), metrics, namespace)
  const securityLog = opened(
    'security log',
    openSecurityLog({ config, process: config.processName ?? 'portal', now: clockAndIds.now, logger, metrics }),
  )
  try {
    await requireCompleteStore(config)
    const olderLog = olderLogReporter()
    const eventStore = opened(
      'event store',
      observeEventStore(await openEventStore(config.eventStoreUrl, { onOlder: olderLog.onOlder }), observability),
    )
    const { userKeys: keysFile, masterKey: masterKeyFile, erasures: erasuresFile } = files
    // Before the vault, which makes the files that are missing.
    if (config.eventStoreUrl.startsWith('sqlite:')) await requireUserKeys(eventStore, keysFile)
    const vault = opened(
      'personal data',
      await openVault(config.eventStoreUrl, { keysFile, masterKeyFile, masterKey: config.masterKey, erasuresFile }),
    )
    const signingKeys = openSigningKeys({ file: files.sessionKeys, now: clockAndIds.now, logger })
    const outbound = opened('outbound', observeOutbound(openOutbound(config, clockAndIds.now), metrics))
    const readModels = opened(
      'read models',
      await openReadModels({
        projections: projections.map(projectionKey),
        open: observedReadModel,
        logger,
        process: config.processName ?? 'portal',
      }),
    )
    olderLog.reportTo(readModels.continuity)
    const rebuild = {
      log: eventStore,
      publishers,
      open: observedReadModel,
      drop: (namespace: string) => dropReadModel(readModelUrlOf(config, namespace), namespace),
      busIsLog: config.busUrl.startsWith('memory:'),
      logger,
    }
    await buildMissing(rebuild, { projections, readModels, stamp: stampOf(clockAndIds.now()) })
    const bus = opened(
      'bus',
      observeBus(await openBus(config.busUrl, { eventStore, publishers, logger }), observability),
    )
    const limiters = opened(
      'limits',
      await openLimiters(config.readModelUrl, {
        hashOf: (key) => vault.index('limit', key),
        elapsedMs: clockAndIds.elapsedMs,
        logger,
        ...limitObservers(metrics),
      }),
    )
    return { eventStore, bus, readModels, vault, limiters, signingKeys, outbound, securityLog, observability, closing }
  } catch (error) {
    for (const { stop } of closing) await stop()
    throw error
  }
}
