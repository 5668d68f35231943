import type { Bus } from '@portal/platform/bus/port'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { EventStore } from '@portal/platform/event-store/port'
import { type KeyRing, openKeyRing } from '@portal/platform/http/key-ring'
import { openOutbound, type Outbound } from '@portal/platform/outbound/open-outbound'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openReadModels, type ReadModels } from '@portal/platform/read-model/read-models'
import type { Config } from '@portal/platform/runtime/config'
import type { StopStep } from '@portal/platform/runtime/shutdown'
import type { Sources } from '@portal/platform/runtime/sources'
import { openBus, openEventStore, openReadModel } from '@portal/platform/runtime/wire'
import type { Logger } from 'pino'
import { dataFiles } from './data-files.ts'

export type Ports = {
  readonly eventStore: EventStore
  readonly bus: Bus
  readonly readModels: ReadModels
  /** The delivery ledger: a read model of its own, which no replay touches. */
  readonly ledger: ReadModel
  readonly vault: PersonalDataVault
  readonly keyRing: KeyRing
  readonly outbound: Outbound
  /** In the order in which they are to be closed. */
  readonly closing: readonly StopStep[]
}

export type PortOptions = {
  readonly config: Config
  readonly publishers: readonly Publisher[]
  readonly projections: readonly Projection[]
  readonly sources: Sources
  readonly logger: Logger
}

/** Opens what everything is kept in. When one of them cannot be opened, those before it are closed again. */
export const openPorts = async ({ config, publishers, projections, sources, logger }: PortOptions): Promise<Ports> => {
  const files = dataFiles(config.dataDir)
  const closing: StopStep[] = []
  const opened = <T extends { close(): Promise<void> }>(name: string, port: T): T => {
    closing.unshift({ name, stop: () => port.close() })
    return port
  }
  try {
    const { userKeys: keysFile, masterKey: masterKeyFile } = files
    const vault = opened('personal data', openSqliteVault({ keysFile, masterKeyFile, masterKey: config.masterKey }))
    const keyRing = openKeyRing({ file: files.sessionKeys, now: sources.now, logger })
    const outbound = opened('outbound', openOutbound(config, sources.now))
    const eventStore = opened('event store', await openEventStore(config.eventStoreUrl))
    const readModels = opened(
      'read models',
      await openReadModels({
        projections: projections.map(({ name }) => name),
        open: (namespace) => openReadModel(config.readModelUrl, namespace),
        logger,
      }),
    )
    const ledger = opened('ledger', await openReadModel(`sqlite:${files.ledger}`, 'ledger'))
    const bus = opened('bus', await openBus(config.busUrl, { eventStore, publishers, logger }))
    return { eventStore, bus, readModels, ledger, vault, keyRing, outbound, closing }
  } catch (error) {
    for (const { stop } of closing) await stop()
    throw error
  }
}
