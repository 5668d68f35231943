import { createConnection } from 'node:net'
import { once } from 'node:events'
import type { Config } from '@portal/platform/settings/config'
import { fail, type Finding, type Findings, info, inWords, ok, warn } from './finding.ts'

const connectTimeoutMs = 3_000

const isProduction = ({ environment }: Config): boolean => environment === 'production'

const checkPublicUrl = (config: Config): Finding => {
  const { publicOrigin } = config.http
  if (publicOrigin === undefined)
    return isProduction(config)
      ? fail('PUBLIC_URL', 'it is not set, so responses have no HSTS header', 'PUBLIC_URL=https://portal.example')
      : info('PUBLIC_URL', 'not set, which is fine for development')
  return isProduction(config) && publicOrigin.startsWith('http:')
    ? warn('PUBLIC_URL', `${publicOrigin}: passwords are sent in clear text`, 'an https address')
    : ok('PUBLIC_URL', publicOrigin)
}

/** With a number of hops, a caller who bypasses the proxies can forge the address. */
const checkTrustProxy = ({ http: { trustProxy, publicOrigin } }: Config, isInContainer: boolean): Finding => {
  const check = 'TRUST_PROXY'
  if (trustProxy === false) {
    if (publicOrigin?.startsWith('https:') !== true)
      return info(check, 'no trusted proxy; the peer address is the client')
    const says = 'it is not set, but PUBLIC_URL is https: all users share the address, and the limits, of the TLS proxy'
    return fail(check, says, "TRUST_PROXY=loopback, or the proxy's address")
  }
  if (typeof trustProxy === 'string') {
    if (isInContainer || !/\buniquelocal\b/.test(trustProxy)) return ok(check, trustProxy)
    const says = `${trustProxy}: every machine of the local network can forge client addresses`
    return warn(check, says, "the proxy's own address, such as loopback or 10.0.0.5")
  }
  const hops = trustProxy === 1 ? 'one hop' : `${trustProxy} hops`
  return warn(
    check,
    `${hops} trusted from any address: a caller who bypasses the proxies can forge the address`,
    "the proxies' addresses, such as loopback or 10.0.0.0/8",
  )
}

const provider = (config: Config, variable: string, isSet: boolean, what: string): Finding => {
  if (isSet) return ok(variable, 'is set')
  const says = `not set; ${what} written to the outbox file`
  return isProduction(config) ? warn(variable, says, `set ${variable}`) : info(variable, says)
}

/** Push needs both settings: one to register browsers, one to send. */
const checkPush = (config: Config): Finding => {
  const sends = config.outbound.fcmServiceAccountFile !== undefined
  const registers = config.pushClient !== undefined
  if (sends === registers) return provider(config, 'FCM_SERVICE_ACCOUNT_FILE', sends, 'pushes are')
  const missing = sends ? 'FCM_WEB_CONFIG' : 'FCM_SERVICE_ACCOUNT_FILE'
  const says = sends ? 'not set; no browser registers for push' : 'not set; pushes are written to the outbox file'
  return warn(missing, says, `set ${missing}`)
}

const canConnect = async (url: string): Promise<void> => {
  const { hostname, port, protocol } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) })
  } finally {
    socket.destroy()
  }
}

const checkTraces = async ({ traces }: Config): Promise<Finding> => {
  const check = 'traces'
  if (traces.endpoint === undefined) return info(check, 'OTEL_EXPORTER_OTLP_ENDPOINT is not set; tracing is off')
  try {
    await canConnect(traces.endpoint)
    return ok(check, 'the collector is reachable')
  } catch (error) {
    return warn(check, `the collector is unreachable: ${inWords(error)}`, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  }
}

/** Reports risky or missing settings. */
export const checkSettings = async (config: Config, isInContainer: boolean): Promise<Findings> => [
  ok('settings', `valid, for ${config.environment}`),
  checkPublicUrl(config),
  checkTrustProxy(config, isInContainer),
  provider(config, 'SMTP_URL', config.outbound.smtpUrl !== undefined, 'email is'),
  provider(config, 'SMS_URL', config.outbound.smsUrl !== undefined, 'text messages are'),
  checkPush(config),
  await checkTraces(config),
]
