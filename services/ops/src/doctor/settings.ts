import { createConnection } from 'node:net'
import { once } from 'node:events'
import { readServiceAccount } from '@portal/platform/outbound/fcm/service-account'
import { untrustedProxy } from '@portal/platform/runtime/startup-checks'
import { smtpMail } from '@portal/platform/outbound/smtp-mail'
import { type Config, ConfigError } from '@portal/platform/settings/config'
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
const checkTrustProxy = ({ http }: Config, isInContainer: boolean): Finding => {
  const check = 'TRUST_PROXY'
  const untrusted = untrustedProxy(http)
  if (untrusted !== undefined) return fail(check, untrusted, "TRUST_PROXY=loopback, or the proxy's address")
  const { trustProxy } = http
  if (trustProxy === false) return info(check, 'no trusted proxy; the peer address is the client')
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

const missingProvider = (config: Config, variable: string, what: string): Finding => {
  const says = `not set; ${what} written to the outbox file`
  return isProduction(config) ? warn(variable, says, `set ${variable}`) : info(variable, says)
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

/** Connects and logs in, and sends nothing. */
const checkMail = async (config: Config): Promise<Finding> => {
  const { smtpUrl, mailFrom } = config.outbound
  if (smtpUrl === undefined) return missingProvider(config, 'SMTP_URL', 'email is')
  const mail = smtpMail({ url: smtpUrl, from: mailFrom, timeoutMs: connectTimeoutMs })
  try {
    await mail.verify()
    return ok('SMTP_URL', 'the mail server accepts the connection')
  } catch (error) {
    return fail(
      'SMTP_URL',
      `the mail server cannot be used: ${inWords(error)}`,
      'correct SMTP_URL, or start the server',
    )
  } finally {
    await mail.close()
  }
}

/** Returns `reachable`, unless nothing answers at the address of the provider. */
const checkReachable = async (variable: string, url: string, reachable: Finding): Promise<Finding> => {
  try {
    await canConnect(url)
    return reachable
  } catch (error) {
    return fail(variable, `the provider is unreachable: ${inWords(error)}`, `correct ${variable}, or the network`)
  }
}

const checkSms = async (config: Config): Promise<Finding> => {
  const { smsUrl } = config.outbound
  if (smsUrl === undefined) return missingProvider(config, 'SMS_URL', 'text messages are')
  return checkReachable(
    'SMS_URL',
    smsUrl,
    ok('SMS_URL', 'the gateway is reachable; credentials show with the first SMS'),
  )
}

const pushAddress = 'https://fcm.googleapis.com'

const checkPushProvider = async (file: string): Promise<Finding> => {
  const variable = 'FCM_SERVICE_ACCOUNT_FILE'
  try {
    readServiceAccount(file)
  } catch (error) {
    if (error instanceof ConfigError) return fail(variable, error.message, 'download the file again')
    throw error
  }
  return checkReachable(
    variable,
    pushAddress,
    ok(variable, 'FCM serves new registrations: the file is usable, and FCM reachable'),
  )
}

/** FCM needs both settings: one to register browsers, one to send. Without them, Web Push needs none. */
const checkPush = async (config: Config): Promise<Finding> => {
  const { fcmServiceAccountFile: file } = config.outbound
  const sends = file !== undefined
  const registers = config.pushClient !== undefined
  if (sends && registers) return checkPushProvider(file)
  if (!sends && !registers) return ok('push', 'Web Push serves all browsers, and needs no setting')
  return sends
    ? warn('FCM_WEB_CONFIG', 'not set; Web Push serves new registrations', 'set FCM_WEB_CONFIG, if FCM should')
    : warn(
        'FCM_SERVICE_ACCOUNT_FILE',
        'not set; browsers register at FCM, but pushes are written to the outbox file',
        'set FCM_SERVICE_ACCOUNT_FILE, or remove FCM_WEB_CONFIG',
      )
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

/** Reports risky or missing settings, and tries the providers. */
export const checkSettings = async (config: Config, isInContainer: boolean): Promise<Findings> => [
  ok('settings', `valid, for ${config.environment}`),
  checkPublicUrl(config),
  checkTrustProxy(config, isInContainer),
  ...(await Promise.all([checkMail(config), checkSms(config), checkPush(config), checkTraces(config)])),
]
