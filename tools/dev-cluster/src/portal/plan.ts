import { fileURLToPath } from 'node:url'
import { linkOriginOf } from '@portal/platform/settings/link-origin'
import type { Config } from '@portal/platform/settings/config'
import type { Gateway } from './balancer.ts'

/** A process of the portal, with its program, name and port on this machine. */
export type PlannedProcess = {
  readonly name: string
  readonly program: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

type Plan = {
  /** Starts first, because it creates the keys that the others share. */
  readonly auth: PlannedProcess
  readonly services: readonly PlannedProcess[]
  readonly gateways: readonly PlannedProcess[]
  readonly balanced: readonly Gateway[]
}

const programOf = (service: string): string =>
  fileURLToPath(new URL(`../../../../services/processes/src/${service}.ts`, import.meta.url))
const host = '127.0.0.1'
const at = (port: number): string => `http://${host}:${port}`

/** Gateways trust the balancer, which is on this machine, and the proxies that the portal is configured to trust. */
const trustedByGateways = ({ trustProxy }: Config['http']): string => {
  if (typeof trustProxy === 'number') return String(trustProxy + 1)
  return trustProxy === false ? 'loopback' : `loopback,${trustProxy}`
}

type PlanOptions = {
  readonly config: Config
  /** EVENT_STORE_URL, BUS_URL and READ_MODEL_URL. */
  readonly engines: Readonly<Record<string, string>>
  /** Called once for each process. */
  freePort(): Promise<number>
}

/** Plans four services and two gateways, each on a loopback port. */
export const planProcesses = async ({ config, engines, freePort }: PlanOptions): Promise<Plan> => {
  const [auth, catalog, notifications, delivery, one, two] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const shared = {
    ...engines,
    DATA_DIR: config.dataDir,
    HOST: host,
    // The development mailbox does not work behind the balancer.
    DEV_OUTBOX: '0',
    AUTH_URL: at(auth),
    CATALOG_URL: at(catalog),
    NOTIFICATIONS_URL: at(notifications),
    // The address of the balancer. Each process knows only its own.
    PUBLIC_URL: linkOriginOf(config.http),
  }
  const planned = (name: string, port: number, trusted: string, service = name): PlannedProcess => ({
    name,
    program: programOf(service),
    port,
    settings: { ...shared, PROCESS_NAME: name, PORT: String(port), TRUST_PROXY: trusted },
  })
  const gateways = [one, two].map((port, index) =>
    planned(`gateway-${index + 1}`, port, trustedByGateways(config.http), 'gateway'),
  )
  return {
    auth: planned('auth', auth, 'loopback'),
    services: [
      planned('catalog', catalog, 'loopback'),
      planned('notifications', notifications, 'loopback'),
      planned('delivery', delivery, 'loopback'),
    ],
    gateways,
    balanced: gateways.map(({ name, port }) => ({ name, port })),
  }
}
