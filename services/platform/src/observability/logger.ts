import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { isUserFacing } from '../errors/error-kinds.ts'
import type { Config } from '../settings/config.ts'

type LoggerOptions = {
  readonly level: Config['logLevel']
  /** Standard output by default. */
  readonly destination?: DestinationStream
}

/** The message of a user-facing error says all there is to know: a full disk would fill it with stack traces. */
const serializeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (isUserFacing(error)) return redact({ type: error.name, message: error.message })
  return redact(stdSerializers.err(error))
}

/** Logs one JSON line per entry. All fields are redacted, including error messages. */
export const createLogger = ({ level, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: { err: serializeError },
    },
    destination ?? pino.destination(1),
  )

const secretNames =
  /^(?:.*password.*|.*token|otp.*|authorization|(?:set-)?cookie|.*secret|.*credential|masterkey|private.*|jwk|d)$/i
const personalNames = /^(?:fullname|.*email|mobile(?:number)?|phone|to)$/i
/** `code` is usually an error code. Six digits are a one-time code. */
const isOneTimeCode = (name: string, value: unknown): boolean => /code$/i.test(name) && /^\d{6}$/.test(String(value))

const emailAddress = /[\w.+%-]{1,64}@[\w.-]{1,253}/g
const signedToken = /eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]{5,}/g
const credentialsInAddress = /:\/\/[^\s/@]{1,200}@/g

const maxDepth = 6
const maxEntries = 100
const redacted = '[redacted]'

const redactText = (text: string): string => {
  const withoutTokens = text.includes('eyJ') ? text.replace(signedToken, redacted) : text
  if (!withoutTokens.includes('@')) return withoutTokens
  return withoutTokens.replace(credentialsInAddress, `://${redacted}@`).replace(emailAddress, redacted)
}

const isSecret = (name: string, value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') &&
  (secretNames.test(name) || personalNames.test(name) || isOneTimeCode(name, value))

const redactAt = (name: string, value: unknown, depth: number): unknown => {
  if (isSecret(name, value)) return redacted
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Error) return value
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  if (depth >= maxDepth) return '…'
  // List items keep the name of the list, so that a list of tokens is redacted as well.
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((item) => redactAt(name, item, depth + 1))
  const entries = Object.entries(value).slice(0, maxEntries)
  return Object.fromEntries(entries.map(([key, inner]) => [key, redactAt(key, inner, depth + 1)]))
}

/** Returns the same shape without secrets and personal data. */
const redact = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, redactAt(name, value, 0)]))
