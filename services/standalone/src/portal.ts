import { startApplyingGrants } from '@portal/auth/admin-grant/apply-admin-grant'
import { newMailboxKey } from '@portal/gateway/dev-mailbox'
import { buildGateway } from '@portal/gateway/gateway'
import { progressIn } from '@portal/gateway/sockets/progress'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { startRecordingFromSpool } from '@portal/platform/operations/record-operation'
import { devMailboxFileIn } from '@portal/platform/outbound/open-outbound'
import type { PortalProcess } from '@portal/platform/runtime/portal-process'
import { runServices, type Started } from '@portal/platform/runtime/run-services'
import type { Service } from '@portal/platform/runtime/service'
import { findSampleLogins, type SeededPortal, seedPortal, type SeedRequest } from '@portal/sample-data/seed-portal'
import { isEmptyPortal } from './offer-sample.ts'
import { openPortal, type PortalPorts } from './services.ts'

/** A service that only works in the background. */
const backgroundService = (name: string, startWork: () => { stop(): Promise<void> }): Service => {
  let work: { stop(): Promise<void> } | undefined
  return {
    name,
    publishers: [],
    projections: [],
    routes: () => undefined,
    start: async () => {
      work = startWork()
    },
    stop: async () => work?.stop(),
  }
}

/** A standalone portal owns the event store, so commands leave their requests in the data folder. */
const commandServices = ({ config, clockAndIds: { now }, logger }: PortalProcess, { eventStore }: PortalPorts) => {
  const { dataDir } = config
  return [
    backgroundService('operations', () => startRecordingFromSpool(dataDir, eventStore, logger)),
    backgroundService('admin grants', () => startApplyingGrants({ dataDir, eventStore, now, logger })),
  ]
}

type Portal = Started & {
  /** The address of the development mailbox, if it is enabled. */
  readonly mailboxAddress: string | undefined
  /** The portal has no data yet and is not in production. */
  readonly isEmpty: boolean
  /** The sample data added by this start. */
  readonly seeded: SeededPortal | undefined
  /** The addresses of the first sample accounts. Empty in production. */
  readonly sampleLogins: readonly string[]
  /** One line for each consumer that is halted until it is rebuilt. */
  readonly discontinuities: readonly string[]
}

export type PortalOptions = {
  /** Called for an empty portal before it serves, but not in production. */
  readonly offerSample?: () => Promise<SeedRequest | undefined>
}

/** Runs all services in this process. */
export const startPortal = async (process: PortalProcess, { offerSample }: PortalOptions = {}): Promise<Portal> => {
  const { config, logger } = process
  const { ports, built } = await openPortal(process)
  const { connections, seenCounter, notifications, services } = built
  const mailbox = config.devMailbox ? { file: devMailboxFileIn(config.dataDir), key: newMailboxKey() } : undefined
  const edge = buildGateway(
    { ...ports, logger: logger.child({ service: 'gateway' }) },
    {
      connections,
      seenCounter,
      inbox: notifications.inbox,
      progress: progressIn(ports.readModels, inboxProjection),
      campaigns: notifications.progress,
      seen: notifications.seen,
      mailbox,
    },
  )
  let isEmpty = false
  let seeded: SeededPortal | undefined
  const { address, firstAdmin } = await runServices(process, ports, {
    services: [...services, ...commandServices(process, ports)],
    edge,
    beforeStart: async () => {
      if (config.environment === 'production' || !(await isEmptyPortal(ports.eventStore))) return
      const wanted = await offerSample?.()
      seeded = wanted && (await seedPortal(ports, wanted))
      isEmpty = seeded === undefined
    },
  })
  const mailboxAddress = mailbox && `${address}/dev/outbox/${mailbox.key}`
  const sampleLogins = config.environment === 'production' ? [] : await findSampleLogins(ports)
  const discontinuities = process.discontinuities()
  return { address, firstAdmin, mailboxAddress, isEmpty, seeded, sampleLogins, discontinuities }
}
