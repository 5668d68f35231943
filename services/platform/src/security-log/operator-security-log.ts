import { appendFileSync, existsSync } from 'node:fs'
import type { Config } from '../settings/config.ts'
import { securityLogFile } from './open-security-log.ts'
import { securityLine } from './security-line.ts'
import type { SecurityEvent } from './security-log.ts'

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
