import type { Bus } from '@portal/platform/bus/port'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { EventStore } from '@portal/platform/event-store/port'
import { type KeyRing, openKeyRing } from '@portal/platform/http/key-ring'
import { type Observability, unobserved } from '@portal/platform/observability/observability'
import { observeBus } from '@portal/platform/observability/observe-bus'
import { observeEventStore } from '@portal/platform/observability/observe-event-store'
import { observeReadModel } from '@portal/platform/observability/observe-read-model'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound, type Outbound } from '@portal/platform/outbound/open-outbound'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openReadModels, type ReadModels } from '@portal/platform/read-model/read-models'
import type { Config } from '@portal/platform/runtime/config'
import { dataFiles } from '@portal/platform/runtime/data-files'
import type { StopStep } from '@portal/platform/runtime/shutdown'
import type { Sources } from '@portal/platform/runtime/sources'
import { openBus, openEventStore, openReadModel, openVault } from '@portal/platform/runtime/wire'
import type { Logger } from 'pino'

export type Ports = {
  readonly eventStore: EventStore
  readonly bus: Bus
  readonly readModels: ReadModels
  /** The delivery ledger: a read model of its own, which no replay touches. */
  readonly ledger: ReadModel
  readonly vault: PersonalDataVault
  readonly keyRing: KeyRing
  readonly outbound: Outbound
  /** What they are observed with. */
  readonly observability: Observability
  /** In the order in which they are to be closed. */
  readonly closing: readonly StopStep[]
}

export type PortOptions = {
  readonly config: Config
  readonly publishers: readonly Publisher[]
  readonly projections: readonly Projection[]
  readonly sources: Sources
  readonly logger: Logger
  readonly observability?: Observability
}

/** A file of its own where read models are files; where they are on a server, a namespace there. */
const ledgerUrl = ({ readModelUrl, dataDir }: Config): string =>
  readModelUrl.startsWith('redis') ? readModelUrl : `sqlite:${dataFiles(dataDir).ledger}`

/** Opens what everything is kept in. When one of them cannot be opened, those before it are closed again. */
export const openPorts = async (options: PortOptions): Promise<Ports> => {
  const { config, publishers, projections, sources, logger, observability = unobserved() } = options
  const { metrics } = observability
  const files = dataFiles(config.dataDir)
  const closing: StopStep[] = []
  const opened = <T extends { close(): Promise<void> }>(name: string, port: T): T => {
    closing.unshift({ name, stop: () => port.close() })
    return port
  }
  const observedReadModel = async (url: string, namespace: string): Promise<ReadModel> =>
    observeReadModel(await openReadModel(url, namespace), metrics, namespace)
  try {
    const { userKeys: keysFile, masterKey: masterKeyFile } = files
    const vault = opened(
      'personal data',
      await openVault(config.eventStoreUrl, { keysFile, masterKeyFile, masterKey: config.masterKey }),
    )
    const keyRing = openKeyRing({ file: files.sessionKeys, now: sources.now, logger })
    const outbound = opened('outbound', observeOutbound(openOutbound(config, sources.now), metrics))
    const eventStore = opened(
      'event store',
      observeEventStore(await openEventStore(config.eventStoreUrl), observability),
    )
    const readModels = opened(
      'read models',
      await openReadModels({
        projections: projections.map(({ name }) => name),
        open: (namespace) => observedReadModel(config.readModelUrl, namespace),
        logger,
      }),
    )
    const ledger = opened('ledger', await observedReadModel(ledgerUrl(config), 'ledger'))
    const bus = opened(
      'bus',
      observeBus(await openBus(config.busUrl, { eventStore, publishers, logger }), observability),
    )
    return { eventStore, bus, readModels, ledger, vault, keyRing, outbound, observability, closing }
  } catch (error) {
    for (const { stop } of closing) await stop()
    throw error
  }
}
