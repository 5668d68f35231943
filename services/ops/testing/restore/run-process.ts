import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A script that restores or moves and kills itself at a step. Settings: FROM or TO, STEP. */
export const killedRun = fileURLToPath(new URL('./killed-run.ts', import.meta.url))
export const standaloneMain = fileURLToPath(new URL('../../../standalone/src/main.ts', import.meta.url))

/** Runs a file in a separate process until it exits. */
export const runProcess = async (file: string, settings: Readonly<Record<string, string>>) => {
  const { NODE_ENV: _nodeEnv, VITEST: _vitest, NODE_OPTIONS: _options, ...inherited } = process.env
  const child = spawn(process.execPath, [file], {
    // Not the folder of the repository: a portal without data does not start beside backups.
    env: { ...inherited, BACKUP_DIR: join(settings['DATA_DIR'] ?? '', 'backups'), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(String(chunk)))
  await once(child, 'close')
  return { signal: child.signalCode, code: child.exitCode, output: chunks.join('') }
}
