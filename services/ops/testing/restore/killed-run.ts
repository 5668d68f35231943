import { openBackup } from '@portal/platform/backup/open-backup'
import { loadConfig } from '@portal/platform/settings/config'
import { moveLog } from '../../src/move-log/move-log.ts'
import { restoreBackup } from '../../src/restore/restore-backup.ts'

/**
 * The child process of killed.process.test.ts and move-log.engine.test.ts: restores or moves, and kills itself at a step. Exits
 * cleanly if the step does not occur.
 */
const { FROM, TO, STEP } = process.env
const reached = (step: string): void => {
  if (step === STEP) process.kill(process.pid, 'SIGKILL')
}
const config = loadConfig(process.env)
const signal = new AbortController().signal
const stamp = `killed${process.pid}`
if (TO !== undefined) await moveLog({ config, to: TO, stamp, signal, reached })
else {
  const backup = await openBackup(FROM ?? '', { signal })
  if (!backup.ok) throw new Error(backup.message)
  await restoreBackup({ config, backup, force: false, stamp, signal, reached })
}
process.exit(0)
