import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dataFiles } from '@portal/platform/files/data-folder'
import { loadConfig } from '@portal/platform/settings/config'
import { operatorName } from '@portal/platform/operations/operation'
import { recordOperatorEvent } from '@portal/platform/security-log/open-security-log'
import { createLogger } from '@portal/platform/observability/logger'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { CommandError, runCommand } from './command.ts'

/**
 * `make rotate-keys`: new sessions are signed with a new key. With `--forget` the keys before it no longer count, which logs
 * everybody out: for when one may be in wrong hands. A running portal takes it up within a second.
 */
await runCommand(() => {
  const { values } = parseArgs({ options: { forget: { type: 'boolean', default: false } } })
  const config = loadConfig(process.env)
  const { dataDir } = config
  const { sessionKeys } = dataFiles(dataDir)
  if (!existsSync(sessionKeys)) throw new CommandError(`There are no session keys in ${dataDir} yet`)
  const ring = openSigningKeys({ file: sessionKeys, now: () => new Date(), logger: createLogger({ level: 'warn' }) })
  ring.rotate(values.forget ? 'forget-previous' : 'keep-previous')
  recordOperatorEvent(config, {
    event: 'operation-run',
    result: 'ok',
    operator: operatorName(),
    target: values.forget ? 'SessionKeysReplaced' : 'SessionKeysRotated',
  })
  process.stdout.write(
    values.forget
      ? 'A new key signs from now on; everybody has to log in again.\n'
      : 'A new key signs from now on; open sessions go on.\n',
  )
})
