import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Metrics } from '../observability/metrics/metrics.ts'
import type { Config } from '../settings/config.ts'
import { createSecurityLog } from './create-security-log.ts'
import { rotatingFile } from './rotating-file.ts'
import type { SecurityLog } from './security-log.ts'
import { standardOutput } from './standard-output.ts'

export type OpenSecurityLogOptions = {
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
