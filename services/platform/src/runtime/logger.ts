import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { redact } from './redaction.ts'

export type LoggerOptions = {
  readonly level: Config['logLevel']
  /** Standard output where absent. */
  readonly destination?: DestinationStream
}

/** One JSON line an entry. Everything an entry says goes through redaction, the texts of errors included. */
export const createLogger = ({ level, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: { err: (error: unknown) => (error instanceof Error ? redact(stdSerializers.err(error)) : error) },
    },
    destination ?? pino.destination(1),
  )
