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
      ? fail(
          'PUBLIC_URL',
          'it is not set: browsers are not told to stay with https',
          'PUBLIC_URL=https://portal.example',
        )
      : info('PUBLIC_URL', 'not set, as on a developer’s machine')
  return isProduction(config) && publicOrigin.startsWith('http:')
    ? warn('PUBLIC_URL', `${publicOrigin}: passwords travel in the clear`, 'an https address')
    : ok('PUBLIC_URL', publicOrigin)
}

/** By number, whoever can reach the port past the proxies says who they are. */
const checkTrustProxy = ({ http: { trustProxy, publicOrigin } }: Config, isInContainer: boolean): Finding => {
  const check = 'TRUST_PROXY'
  if (trustProxy === false) {
    if (publicOrigin?.startsWith('https:') !== true)
      return info(check, 'no proxy is believed: the caller is who connects')
    const says = 'it is not set, but PUBLIC_URL is https: all users share the address, and the limits, of the TLS proxy'
    return fail(check, says, "TRUST_PROXY=loopback, or the proxy's address")
  }
  if (typeof trustProxy === 'string') {
    if (isInContainer || !/\buniquelocal\b/.test(trustProxy)) return ok(check, trustProxy)
    const says = `${trustProxy}: every machine of the local network is believed to say who calls`
    return warn(check, says, "the proxy's own address, such as loopback or 10.0.0.5")
  }
  const what = trustProxy === 1 ? 'whoever connects is' : `${trustProxy} proxies, whoever they are, are`
  return warn(check, `${what} believed to say who calls`, "the proxies' addresses, such as loopback or 10.0.0.0/8")
}

const provider = (config: Config, variable: string, isSet: boolean, what: string): Finding => {
  if (isSet) return ok(variable, 'is set')
  const says = `not set: ${what} go to the outbox file and to nobody`
  return isProduction(config) ? warn(variable, says, `set ${variable}`) : info(variable, says)
}

/** Either half alone is of no use: tokens that nobody pushes to, or pushes to nobody. */
const checkPush = (config: Config): Finding => {
  const sends = config.outbound.fcmServiceAccountFile !== undefined
  const registers = config.pushClient !== undefined
  if (sends === registers) return provider(config, 'FCM_SERVICE_ACCOUNT_FILE', sends, 'pushes')
  const missing = sends ? 'FCM_WEB_CONFIG' : 'FCM_SERVICE_ACCOUNT_FILE'
  const says = sends ? 'not set: no browser registers for push' : 'not set: pushes go to the outbox file and to nobody'
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
  if (traces.endpoint === undefined) return info(check, 'OTEL_EXPORTER_OTLP_ENDPOINT is not set: none are kept')
  try {
    await canConnect(traces.endpoint)
    return ok(check, 'the collector can be reached')
  } catch (error) {
    return warn(check, `the collector cannot be reached: ${inWords(error)}`, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  }
}

/** What is set, and should be. That the settings can be read at all has been found out by then. */
export const checkSettings = async (config: Config, isInContainer: boolean): Promise<Findings> => [
  ok('settings', `read, for ${config.environment}`),
  checkPublicUrl(config),
  checkTrustProxy(config, isInContainer),
  provider(config, 'SMTP_URL', config.outbound.smtpUrl !== undefined, 'e-mails'),
  provider(config, 'SMS_URL', config.outbound.smsUrl !== undefined, 'text messages'),
  checkPush(config),
  await checkTraces(config),
]
