import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { Metrics } from '../observability/metrics/metrics.ts'
import type { Config } from '../settings/config.ts'
import { rotatingFile } from './rotating-file.ts'
import {
  createSecurityLog,
  type SecurityEvent,
  securityLine,
  type SecurityLog,
  type SecurityLogDestination,
} from './security-log.ts'

/** Synchronous, so that a crash loses no line. */
const standardOutput = (): SecurityLogDestination => {
  const stream = pino.destination({ fd: 1, sync: true })
  return { write: (line) => void stream.write(line), close: async () => stream.flushSync() }
}

type OpenSecurityLogOptions = {
  readonly config: Pick<Config, 'environment' | 'dataDir'>
  /** 'portal' for a standalone process. */
  readonly process: string
  readonly now: () => Date
  readonly logger: Pick<Logger, 'error'>
  readonly metrics?: Pick<Metrics, 'securityEvents'>
}

/** One file per process, because two processes that rotate the same file would lose lines. */
export const securityLogFile = (dataDir: string, process: string): string =>
  join(dataDir, process === 'portal' ? 'security.log' : `security-${process}.log`)

/** Rotated apart from the other file, because any stranger can fill it. The dot keeps the name apart from those of processes. */
const attemptsFile = (dataDir: string, process: string): string =>
  securityLogFile(dataDir, process).replace(/\.log$/, '.attempts.log')

/** Standard output in production, where a collector reads it; otherwise two files in the data folder. */
export const openSecurityLog = (options: OpenSecurityLogOptions): SecurityLog => {
  const { config, process, now, logger, metrics } = options
  const common = { now, ...(metrics && { metrics }) }
  if (config.environment === 'production') return createSecurityLog({ destination: standardOutput(), ...common })
  const destination = rotatingFile({ path: securityLogFile(config.dataDir, process), logger })
  const attempts = rotatingFile({ path: attemptsFile(config.dataDir, process), logger })
  return createSecurityLog({ destination, attempts, ...common })
}

/**
 * Opens the log of commands. In production it writes to standard error, because standard output is for the command's result. Otherwise it appends
 * to the portal's file, which a running portal rotates.
 */
export const recordOperatorEvent = (config: Pick<Config, 'environment' | 'dataDir'>, event: SecurityEvent): void => {
  const line = securityLine(new Date(), event)
  if (config.environment === 'production' || !existsSync(config.dataDir)) {
    process.stderr.write(line)
    return
  }
  try {
    appendFileSync(securityLogFile(config.dataDir, 'portal'), line, { mode: 0o600 })
  } catch {
    process.stderr.write(line)
  }
}
