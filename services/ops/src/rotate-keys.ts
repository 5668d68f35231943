import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dataFiles } from '@portal/platform/files/data-folder'
import { operatorName } from '@portal/platform/operations/operation'
import { recordOperatorEvent } from '@portal/platform/security-log/open-security-log'
import { createLogger } from '@portal/platform/observability/logger'
import { openSigningKeys } from '@portal/platform/session/signing-keys'
import { CommandError, runCommand } from './command.ts'
import { operatorConfig } from './settings/operator-config.ts'

/**
 * `make rotate-keys`: generates a new key for session tokens. With `--forget`, previous keys become invalid, which logs all users out,
 * in case a key was compromised. A running portal uses the new key within a second.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { forget: { type: 'boolean', default: false } } })
  const config = await operatorConfig(process.env)
  const { dataDir } = config
  const { sessionKeys } = dataFiles(dataDir)
  if (!existsSync(sessionKeys)) throw new CommandError(`There are no session keys in ${dataDir} yet`)
  const signingKeys = openSigningKeys({
    file: sessionKeys,
    now: () => new Date(),
    logger: createLogger({ level: 'warn' }),
  })
  signingKeys.rotate(values.forget ? 'forget-previous' : 'keep-previous')
  recordOperatorEvent(config, {
    event: 'operation-run',
    result: 'ok',
    operator: operatorName(),
    target: values.forget ? 'SessionKeysReplaced' : 'SessionKeysRotated',
  })
  process.stdout.write(
    values.forget
      ? 'New sessions use a new key. All users have to log in again.\n'
      : 'New sessions use a new key. Open sessions stay valid. If the key has leaked: make rotate-keys FORGET=1\n',
  )
})
