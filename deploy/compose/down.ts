import { runCommand } from '@portal/ops/command'
import { compose, requireCompose } from './compose-command.ts'

/** `make down`: stops everything. Keeps the data in its volumes, unless CLEAN=1. */
await runCommand(async () => {
  requireCompose()
  const isClean = (process.env['CLEAN'] ?? '0') !== '0'
  compose('--profile', '*', 'down', ...(isClean ? ['--volumes'] : []))
})
