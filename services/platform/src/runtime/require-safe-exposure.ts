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

/** Refuses to start with settings of a developer's machine at an address that is open to the public. */
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
