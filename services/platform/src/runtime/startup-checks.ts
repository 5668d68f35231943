import { hostnameOf } from '../http/allowed-hosts.ts'
import { isLoopback } from '../settings/is-loopback.ts'
import { type Config, ConfigError } from '../settings/config.ts'

type Exposure = Pick<Config, 'environment' | 'devMailbox' | 'outbound'> & {
  readonly http: Pick<Config['http'], 'publicOrigin'>
}

const mailboxConflict = ({ environment, http, outbound }: Exposure): string | undefined => {
  if (environment === 'production') return 'NODE_ENV=production'
  if (http.publicOrigin?.startsWith('https:')) return 'an https PUBLIC_URL'
  if (outbound.smtpUrl !== undefined && outbound.smsUrl !== undefined) return 'SMTP_URL and SMS_URL'
  return undefined
}

const isPublicHttp = (origin: string | undefined): boolean =>
  origin?.startsWith('http:') === true && !isLoopback(hostnameOf(new URL(origin).host))

/** Throws a ConfigError for development settings on a public portal. */
export const requireSafeExposure = (config: Exposure): void => {
  const conflict = config.devMailbox ? mailboxConflict(config) : undefined
  if (conflict !== undefined) {
    throw new ConfigError(`DEV_OUTBOX=1 shows everyone's codes and links, so it is not allowed with ${conflict}`)
  }
  if (config.environment !== 'production' && config.http.publicOrigin?.startsWith('https:')) {
    throw new ConfigError('An https PUBLIC_URL needs NODE_ENV=production')
  }
  if (config.environment === 'production' && isPublicHttp(config.http.publicOrigin)) {
    throw new ConfigError('PUBLIC_URL must be https in production, unless it is an address of this machine')
  }
}

/** What is wrong if nothing but a TLS proxy, which is not trusted, can reach the portal; otherwise undefined. */
export const untrustedProxy = ({
  publicOrigin,
  trustProxy,
}: Pick<Config['http'], 'publicOrigin' | 'trustProxy'>): string | undefined =>
  trustProxy === false && publicOrigin?.startsWith('https:') === true
    ? 'TRUST_PROXY is not set, but PUBLIC_URL is https: all users share the address, and the limits, of the TLS proxy'
    : undefined

export type EngineKind = 'eventStore' | 'bus' | 'readModel'

const settingOf: Readonly<Record<EngineKind, string>> = {
  eventStore: 'EVENT_STORE_URL=esdb://…',
  bus: 'BUS_URL=kafka://…',
  readModel: 'READ_MODEL_URL=redis://…',
}

/** Throws a ConfigError if one of the engines works within a single process only. */
export const requireSharedEngines = (
  { eventStoreUrl, busUrl, readModelUrl }: Pick<Config, 'eventStoreUrl' | 'busUrl' | 'readModelUrl'>,
  kinds: readonly EngineKind[],
): void => {
  const isShared: Readonly<Record<EngineKind, boolean>> = {
    eventStore: eventStoreUrl.startsWith('esdb'),
    bus: busUrl.startsWith('kafka'),
    readModel: readModelUrl.startsWith('redis'),
  }
  const missing = kinds.filter((kind) => !isShared[kind]).map((kind) => settingOf[kind])
  if (missing.length === 0) return
  throw new ConfigError(
    `Separate processes need engines that they can share: set ${missing.join(' and ')}, or use make run, which needs none`,
  )
}

/** The internal address of a service. */
export const requireServiceUrl = (config: Pick<Config, 'services'>, service: keyof Config['services']): string => {
  const url = config.services[service]
  if (url === undefined) {
    throw new ConfigError(
      `${service.toUpperCase()}_URL must be set to where ${service} answers, such as http://${service}:3000`,
    )
  }
  return url
}
