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
  /** 'portal' where all of it is one process. */
  readonly process: string
  readonly now: () => Date
  readonly logger: Pick<Logger, 'error'>
  readonly metrics?: Pick<Metrics, 'securityEvents'>
}

/** A file of its own for each process, because two processes that rotate one file would lose lines. */
export const securityLogFile = (dataDir: string, process: string): string =>
  join(dataDir, process === 'portal' ? 'security.log' : `security-${process}.log`)

/** Standard output in production, where a collector reads it, else a file in the data folder. */
export const openSecurityLog = (options: OpenSecurityLogOptions): SecurityLog => {
  const { config, process, now, logger, metrics } = options
  const destination =
    config.environment === 'production'
      ? standardOutput()
      : rotatingFile({ path: securityLogFile(config.dataDir, process), logger })
  return createSecurityLog({ destination, now, ...(metrics && { metrics }) })
}

/**
 * For commands. Standard output is theirs, so in production their lines go to standard error. Elsewhere they are appended to the
 * portal's file, which a running portal rotates.
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
