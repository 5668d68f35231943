import { fileURLToPath } from 'node:url'
import { linkOriginOf } from '@portal/auth/password-reset/link-origin'
import type { Config } from '@portal/platform/settings/config'
import type { Gateway } from './balancer.ts'

/** A process of the portal: which program, under which name, on which port of this machine. */
export type Planned = {
  readonly name: string
  readonly program: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

type Plan = {
  /** First: it makes the keys that the others share. */
  readonly auth: Planned
  readonly services: readonly Planned[]
  readonly gateways: readonly Planned[]
  readonly behindTheAddress: readonly Gateway[]
}

const program = (path: string): string => fileURLToPath(new URL(`../../../../services/${path}`, import.meta.url))
const host = '127.0.0.1'
const at = (port: number): string => `http://${host}:${port}`

/** Gateways believe the balancer, which is on this machine, and further whom the whole portal is set to believe. */
const trustedByGateways = ({ trustProxy }: Config['http']): string => {
  if (typeof trustProxy === 'number') return String(trustProxy + 1)
  return trustProxy === false ? 'loopback' : `loopback,${trustProxy}`
}

type Given = {
  readonly config: Config
  /** EVENT_STORE_URL, BUS_URL and READ_MODEL_URL. */
  readonly engines: Readonly<Record<string, string>>
  /** Asked once for each process. */
  freePort(): Promise<number>
}

/** Four services and two gateways, each on a port that only this machine can reach. */
export const planProcesses = async ({ config, engines, freePort }: Given): Promise<Plan> => {
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
    // The mailbox does not answer behind the balancer.
    DEV_OUTBOX: '0',
    AUTH_URL: at(auth),
    CATALOG_URL: at(catalog),
    NOTIFICATIONS_URL: at(notifications),
    // The address that all of them are behind: each by itself only knows its own.
    PUBLIC_URL: linkOriginOf(config.http),
  }
  const planned = (name: string, path: string, port: number, trusted: string): Planned => ({
    name,
    program: program(path),
    port,
    settings: { ...shared, PROCESS_NAME: name, PORT: String(port), TRUST_PROXY: trusted },
  })
  const gateways = [one, two].map((port, index) =>
    planned(`gateway-${index + 1}`, 'gateway/src/main.ts', port, trustedByGateways(config.http)),
  )
  return {
    auth: planned('auth', 'auth/src/main.ts', auth, 'loopback'),
    services: [
      planned('catalog', 'catalog/src/main.ts', catalog, 'loopback'),
      planned('notifications', 'notifications/src/main.ts', notifications, 'loopback'),
      planned('delivery', 'notifications/src/delivery-main.ts', delivery, 'loopback'),
    ],
    gateways,
    behindTheAddress: gateways.map(({ name, port }) => ({ name, port })),
  }
}
