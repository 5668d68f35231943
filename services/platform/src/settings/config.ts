import { resolve } from 'node:path'
import { type PushClientConfig, pushClientConfigSchema } from '@portal/contracts/notifications/http'
import { knownEmail } from '@portal/contracts/shared/rules'
import { z } from 'zod'
import { isLoopback } from './is-loopback.ts'

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly isUserFacing = true
}

/** `expected` completes the sentence '{variable} must be …'. */
const textThat = (expected: string, holds: (value: string) => boolean) =>
  z.string().refine(holds, { error: expected, abort: true })

const wholeNumber = (min: number, max: number, unit = '') =>
  textThat(
    `a whole number from ${min} to ${max}${unit}`,
    (value) => /^\d{1,12}$/.test(value) && Number(value) >= min && Number(value) <= max,
  ).transform(Number)
const milliseconds = (max: number) => wholeNumber(0, max, ' (milliseconds)')

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const longestDurationMs = 30 * 86_400_000
/** Undefined if the text is not a duration. */
const durationMs = (value: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN)
  return ms >= 60_000 && ms <= longestDurationMs ? ms : undefined
}
/** Parses a duration into milliseconds. */
const duration = z.string().transform((value, context): number => {
  const ms = durationMs(value)
  if (ms !== undefined) return ms
  context.addIssue('a duration from 1m to 30d, such as 90m, 24h or 2d')
  return z.NEVER
})

const off = 'off'
const durationOrOff = z.string().transform((value, context): number | undefined => {
  const ms = durationMs(value)
  if (ms === undefined && value !== off) {
    context.addIssue('a duration from 1m to 30d, such as 90m, 24h or 2d, or off')
    return z.NEVER
  }
  return ms
})

const isDecodable = (value: string): boolean => {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false
  }
}
/** What is before the host: `user:password`. */
const userInfo = /^[a-z0-9+]+:\/\/([^/?#]*)@/i
/** A password often holds a bare %, which addresses write as %25. Nothing else of an address is decoded. */
const encoded = (address: z.ZodString) =>
  address.refine(
    (value) => isDecodable(userInfo.exec(value)?.[1] ?? ''),
    'an address whose user and password are percent-encoded (a % is written %25)',
  )

const webAddress = (expected: string, ...protocols: readonly string[]) =>
  textThat(expected, (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol))
const addressWith = (expected: string, ...prefixes: readonly string[]) =>
  textThat(expected, (value) => prefixes.some((prefix) => value.startsWith(prefix) && value.length > prefix.length))

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
const keyInHex = textThat('32 bytes in hexadecimal (64 characters)', (value) => /^[0-9a-f]{64}$/i.test(value))
const plainText = textThat('plain text', (value) => !/\p{Cc}/u.test(value))

/** The address of a process of the portal. Without a path, because requests keep their own. */
const internalAddress = textThat('an address such as http://catalog:3000', (value) => {
  if (!URL.canParse(value)) return false
  const { protocol, pathname, search, hash } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && pathname + search + hash === '/'
}).transform((value) => new URL(value).origin)

/** Ignores the other fields that the Firebase console shows. */
const pushClientConfig = z.string().transform((value, context): PushClientConfig => {
  const isComplete = (config: PushClientConfig) => Object.values(config).every((part) => part.trim() !== '')
  try {
    const parsed = pushClientConfigSchema.refine(isComplete).safeParse(JSON.parse(value))
    if (parsed.success) return parsed.data
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  context.addIssue('JSON with apiKey, projectId, messagingSenderId, appId and vapidKey')
  return z.NEVER
})

const isSmtpAddress = ({ protocol, search }: URL): boolean =>
  ['smtp:', 'smtps:'].includes(protocol) && ['', '?tls=optional', '?tls=required'].includes(search)

/**
 * An address alone or behind a name. The mail library would take a name alone for no sender, what follows the comma of an address or
 * of a name's end for another one, and a colon for the name of a group.
 */
const mailAddress = String.raw`[^\s@<>:;,"]+@(?:\[[^\s@<>\]]+\]|[^\s@<>:;,"]+)`
const mailName = String.raw`"(?:[^"\\]|\\.)*"|[^"<>@:]*(?<!,\s*)`
const oneMailbox = new RegExp(String.raw`^(?:(?:${mailName})\s*<${mailAddress}>|${mailAddress})$`, 'u')
const isOneMailbox = (value: string): boolean => !/\p{Cc}/u.test(value) && oneMailbox.test(value)

const hostNames = /^[a-z0-9.:-]+(?:, ?[a-z0-9.:-]+)*$/i

const proxyCount = /^[1-9]\d?$/
const trustedProxies = /^(true|false|(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/\d{1,3})?)(, ?(?!$)|$))+$/

/**
 * `true` means one proxy: each proxy appends to what the caller sent, so trusting all of the header would let callers choose their
 * address and bypass limits.
 */
const trustedProxiesOf = (setting: string): false | number | string => {
  if (setting === 'false') return false
  if (setting === 'true') return 1
  return proxyCount.test(setting) ? Number(setting) : setting
}

const variables = z.object({
  NODE_ENV: oneOf('production', 'development', 'test').default('development'),
  HOST: plainText.default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3_000),
  PUBLIC_URL: webAddress('an address such as https://portal.example', 'http:', 'https:').optional(),
  TRUST_PROXY: textThat('true, false, a number of proxies or their addresses, such as 10.0.0.0/8,loopback', (value) =>
    trustedProxies.test(value),
  ).default('false'),
  DOCS: oneOf('off', 'on').optional(),
  DEV_OUTBOX: oneOf('0', '1').default('0'),
  AUTH_URL: internalAddress.optional(),
  CATALOG_URL: internalAddress.optional(),
  NOTIFICATIONS_URL: internalAddress.optional(),
  PROCESS_NAME: textThat('up to 40 small letters, digits and hyphens, such as gateway-1', (value) =>
    /^[a-z0-9][a-z0-9-]{0,39}$/.test(value),
  ).optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),

  DATA_DIR: plainText.default('./data'),
  BACKUP_DIR: plainText.default('./backups'),
  EVENT_STORE_URL: encoded(
    addressWith('sqlite:<file> or esdb://<host>', 'sqlite:', 'esdb://', 'esdb+discover://'),
  ).optional(),
  BUS_URL: encoded(
    textThat('memory: or kafka://<host:port,…>', (value) => /^(memory:|kafka(\+ssl)?:\/\/.+)$/.test(value)),
  ).default('memory:'),
  READ_MODEL_URL: encoded(
    addressWith('sqlite:<folder> or redis://<host>', 'sqlite:', 'redis://', 'rediss://'),
  ).optional(),
  MASTER_KEY: keyInHex.optional(),

  ADMIN_EMAIL: textThat('an email address', (value) => knownEmail.safeParse(value).success).optional(),
  // Checked where the first admin is made: once there is one, it has no effect, and must not prevent a start.
  ADMIN_PASSWORD: z.string().optional(),
  ADMIN_MFA: oneOf('optional', 'required').default('optional'),

  SMTP_URL: encoded(
    textThat(
      'an address such as smtp://user:password@host:587, with ?tls=optional at most',
      (value) => URL.canParse(value) && isSmtpAddress(new URL(value)),
    ),
  ).optional(),
  MAIL_FROM: textThat(
    'one address, such as no-reply@portal.example or "Learning Portal" <no-reply@portal.example>',
    isOneMailbox,
  ).default('Learning Portal <no-reply@localhost>'),
  SMS_URL: encoded(webAddress('an http or https address', 'http:', 'https:')).optional(),

  SMS_PER_HOUR: wholeNumber(1, 1_000_000).default(1_000),

  FCM_SERVICE_ACCOUNT_FILE: plainText.optional(),
  FCM_WEB_CONFIG: pushClientConfig.optional(),
  PUSH_PRIVATE_HOSTS: textThat('host names or addresses, such as push.intranet.example,10.1.2.3', (value) =>
    hostNames.test(value),
  ).optional(),

  METRICS_TOKEN: textThat('a text of 16 to 200 characters without spaces', (value) =>
    /^[\x21-\x7e]{16,200}$/.test(value),
  ).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress('an address such as http://collector:4318', 'http:', 'https:').optional(),
  OTEL_TRACES_SAMPLER_ARG: textThat(
    'a number from 0 to 1',
    (value) => /^\d(\.\d{1,6})?$/.test(value) && Number(value) <= 1,
  )
    .transform(Number)
    .default(1),

  SESSION_HOURS: wholeNumber(1, 8_760).default(168),
  SESSION_IDLE_LEARNERS: durationOrOff.default(86_400_000),
  SESSION_IDLE_ADMINS: durationOrOff.default(3_600_000),
  SEEN_GRACE_MS: milliseconds(600_000).default(4_000),
  SEND_WAIT_MS: milliseconds(10_000).default(1_500),
  PUSH_MAX_AGE: duration.default(86_400_000),
  EMAIL_UNSEEN_AFTER: duration.default(86_400_000),
})

/** Secrets, and addresses that can contain a password. Their values are never shown. */
const secret: ReadonlySet<string> = new Set([
  'ADMIN_PASSWORD',
  'MASTER_KEY',
  'SMTP_URL',
  'SMS_URL',
  'EVENT_STORE_URL',
  'BUS_URL',
  'READ_MODEL_URL',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
])

const shown = (variable: string, value: string | undefined): string => {
  if (value === undefined) return 'nothing'
  if (secret.has(variable)) return `the text of ${value.length} characters it is set to`
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

const isClearText = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
}

export type Environment = Readonly<Record<string, string | undefined>>

const readVariables = (environment: Environment): z.output<typeof variables> => {
  // Shells and compose files use an empty variable for 'not set'.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(given)
  if (parsed.error) {
    const messages = parsed.error.issues.map(({ path, message }) => {
      const variable = String(path[0])
      return `${variable} must be ${message}, not ${shown(variable, environment[variable])}`
    })
    throw new ConfigError(messages.join('; '))
  }
  const { NODE_ENV, SMS_URL } = parsed.data
  if (NODE_ENV === 'production' && SMS_URL !== undefined && isClearText(SMS_URL)) {
    throw new ConfigError(
      'SMS_URL must be an https address in production, because codes and credentials are sent to it',
    )
  }
  return parsed.data
}

/** Push services want to know whom to reach, and Apple's rejects this machine. Without https, only browsers on it can register. */
const pushSubject = (publicUrl: string | undefined): string =>
  publicUrl?.startsWith('https:') ? new URL(publicUrl).origin : 'mailto:admin@example.com'

/** Reads the settings. Call it once per process. Throws a ConfigError that names each invalid variable. */
export const loadConfig = (environment: Environment) => {
  const v = readVariables(environment)
  const dataDir = resolve(v.DATA_DIR)
  return {
    environment: v.NODE_ENV,
    logLevel: v.LOG_LEVEL,
    /** Absolute. */
    dataDir,
    /** Absolute. */
    backupDir: resolve(v.BACKUP_DIR),
    http: {
      host: v.HOST,
      port: v.PORT,
      /** `https://portal.example`: without a path. */
      publicOrigin: v.PUBLIC_URL === undefined ? undefined : new URL(v.PUBLIC_URL).origin,
      /** Whose X-Forwarded-For is trusted: none, a number of hops, or these addresses. */
      trustProxy: trustedProxiesOf(v.TRUST_PROXY),
    },
    /** Whether /docs is served. */
    docs: v.DOCS === undefined ? v.NODE_ENV !== 'production' : v.DOCS === 'on',
    /** Whether a page shows sent codes and links, at a secret address that the start prints. */
    devMailbox: v.DEV_OUTBOX === '1',
    /** The internal addresses in a distributed portal. */
    services: { auth: v.AUTH_URL, catalog: v.CATALOG_URL, notifications: v.NOTIFICATIONS_URL },
    /** Distinguishes processes of one service, such as two gateways. */
    processName: v.PROCESS_NAME,
    eventStoreUrl: v.EVENT_STORE_URL ?? `sqlite:${dataDir}/events.db`,
    busUrl: v.BUS_URL,
    readModelUrl: v.READ_MODEL_URL ?? `sqlite:${dataDir}/read-models`,
    /** Replaces the key file in the data folder. */
    masterKey: v.MASTER_KEY === undefined ? undefined : Buffer.from(v.MASTER_KEY, 'hex'),
    /** Derived from the master key, for a process that decrypts no personal data. */
    firstAdmin: {
      email: v.ADMIN_EMAIL,
      password: v.ADMIN_PASSWORD,
      /** In production, the password may be in a shell history, a log or a secret. */
      isPasswordTemporary: v.NODE_ENV === 'production',
    },
    /** Whether admins need two-step verification to log in. */
    adminMfa: v.ADMIN_MFA,
    outbound: {
      smtpUrl: v.SMTP_URL,
      mailFrom: v.MAIL_FROM,
      smsUrl: v.SMS_URL,
      fcmServiceAccountFile: v.FCM_SERVICE_ACCOUNT_FILE,
      webPush: {
        subject: pushSubject(v.PUBLIC_URL),
        ttlSeconds: v.PUSH_MAX_AGE / 1_000,
        privateHosts: new Set(v.PUSH_PRIVATE_HOSTS?.toLowerCase().split(/, ?/)),
      },
    },
    /** The configuration with which browsers register for push. Without it, none does. */
    pushClient: v.FCM_WEB_CONFIG,
    /** Required as Bearer token for /metrics, if set. */
    metricsToken: v.METRICS_TOKEN,
    /** The trace collector and the sampling ratio. Without an endpoint, tracing is off. */
    traces: { endpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: v.OTEL_TRACES_SAMPLER_ARG },
    sessionLifetimeMs: v.SESSION_HOURS * 3_600_000,
    /** A session that nobody uses for so long is refused; undefined: it lasts as long as any. */
    sessionIdle: { learnersMs: v.SESSION_IDLE_LEARNERS, adminsMs: v.SESSION_IDLE_ADMINS },
    smsPerHour: v.SMS_PER_HOUR,
    /** A recipient who has not seen a notification after this time gets a push. */
    seenGraceMs: v.SEEN_GRACE_MS,
    /** How long a send request waits for open tabs to confirm it. */
    sendWaitMs: v.SEND_WAIT_MS,
    /** Older sends are no longer pushed. */
    pushMaxAgeMs: v.PUSH_MAX_AGE,
    /** How long a notification stays unread before an e-mail tells its recipient of it. */
    emailUnseenAfterMs: v.EMAIL_UNSEEN_AFTER,
  } as const
}
export type Config = ReturnType<typeof loadConfig>
