import { z } from 'zod'
import { ConfigError } from '../../settings/config.ts'

/** The parsed BUS_URL: how to connect to Kafka, and the layout of its topics. */
export type KafkaAddress = {
  /** `host:port` each. */
  readonly brokers: readonly string[]
  readonly tls: boolean
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
  /** The number of partitions of a new topic. */
  readonly partitions: number
  readonly replication: number
  readonly retentionHours: number
  /** Prefix of topic and group names, so that several portals can share a Kafka. */
  readonly prefix: string
}

const form =
  'kafka://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…][?sasl=…&partitions=…&replication=…&retentionHours=…&prefix=…]'
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
const whole = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'a whole number')
    .transform(Number)
    .refine((n) => n >= 1 && n <= most, `1 to ${most}`)

const settingsSchema = z.strictObject({
  sasl: z.enum(mechanisms, `one of ${mechanisms.join(', ')}`).optional(),
  partitions: whole(1_000).default(4),
  replication: whole(15).default(1),
  retentionHours: whole(876_000).default(168),
  prefix: z
    .string()
    .regex(/^[\w.-]{0,100}$/, 'letters, digits, dot, hyphen and underscore, at most 100')
    .default(''),
})

const brokerSchema = z
  .string()
  .regex(/^(?:\[[\da-f:]+\]|[a-z\d._-]+):\d{1,5}$/i)
  .refine((broker) => Number(broker.slice(broker.lastIndexOf(':') + 1)) <= 65_535)

/** The message contains no part of the address except names of settings: a password may be anywhere in it. */
const invalid = (problem: string): ConfigError => new ConfigError(`BUS_URL: ${problem}; it has the form ${form}`)

const settingsOf = (query: string) => {
  const settings = new URLSearchParams(query)
  if (new Set(settings.keys()).size !== settings.size) throw invalid('a setting occurs twice')
  const parsed = settingsSchema.safeParse(Object.fromEntries(settings))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (issue?.code === 'unrecognized_keys') throw invalid('it has an unknown setting')
  throw invalid(`'${issue?.path.join('.')}' is not ${issue?.message}`)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('user or password is not URL-encoded')
  }
}

const credentialsOf = (text: string) => {
  const colon = text.indexOf(':')
  if (colon < 1 || colon === text.length - 1) throw invalid('the part before the @ is not USER:PASSWORD')
  return { username: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) }
}

export const parseKafkaAddress = (url: string): KafkaAddress => {
  const parts = /^kafka(?<ssl>\+ssl)?:\/\/(?<authority>[^/?#]*)\/?(?:\?(?<query>[^#]*))?$/.exec(url)?.groups
  if (parts === undefined) throw invalid('the address is invalid')
  const authority = parts.authority ?? ''
  const at = authority.lastIndexOf('@')
  const brokers = authority.slice(at + 1).split(',')
  if (!brokers.every((broker) => brokerSchema.safeParse(broker).success)) {
    throw invalid('the brokers are not HOST:PORT, separated by commas')
  }
  const { sasl: mechanism, ...settings } = settingsOf(parts.query ?? '')
  if (mechanism !== undefined && at < 0) throw invalid("'sasl' needs USER:PASSWORD")
  return {
    brokers,
    tls: parts.ssl !== undefined,
    ...settings,
    ...(at >= 0 && { sasl: { mechanism: mechanism ?? 'plain', ...credentialsOf(authority.slice(0, at)) } }),
  }
}
