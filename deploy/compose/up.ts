import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { temporaryPasswordWords } from '@portal/platform/runtime/start-report'
import { repositoryRoot } from '@portal/ops/repository-root'
import { runCommand } from '@portal/ops/command'
import { compose, requireCompose } from './compose-command.ts'
import { completeSettings, writeEngineUsers } from './settings-file.ts'

/** `make up`: builds the image, creates missing secrets, grants rights in Kafka, starts everything and waits until it is healthy. */
await runCommand(async () => {
  requireCompose()
  const file = join(repositoryRoot, '.env')
  const added = completeSettings(file)
  writeEngineUsers(join(repositoryRoot, '.secrets'), parseEnv(readFileSync(file, 'utf8')))
  compose('build')
  // Kafka keeps rights with its data, and a process without its rights cannot start.
  compose('up', '--detach', '--wait', 'kafka')
  compose('run', '--rm', '-T', 'kafka-rights')
  compose('up', '--detach', '--wait')
  const port = process.env['PORT'] || parseEnv(readFileSync(file, 'utf8'))['PORT'] || '3000'
  process.stdout.write(`\n  The portal is up: http://localhost:${port}\n`)
  if (added['ADMIN_PASSWORD']) {
    process.stdout.write(`  First admin: ${added['ADMIN_EMAIL']}, password ${added['ADMIN_PASSWORD']}\n`)
    process.stdout.write(`  ${temporaryPasswordWords}\n`)
  }
  process.stdout.write('  The secrets are in .env\n\n')
})
