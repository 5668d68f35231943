import type { Config } from '@portal/platform/settings/config'
import { openDataFolder } from '@portal/platform/files/data-folder'
import { requireLocalStorage } from '@portal/platform/files/local-storage'
import { CommandError } from '../command.ts'
import { processesStatus } from '../status/processes-status.ts'

const requireNoProcess = async (dataDir: string): Promise<void> => {
  // After a crash another program may have the id of a process that is gone: only one that answers counts.
  const running = (await processesStatus(dataDir)).filter(({ health }) => (health?.status ?? 'unknown') !== 'unknown')
  if (running.length === 0) return
  const names = running.map(({ process, pid }) => `${process} (process ${pid})`).join(', ')
  throw new CommandError(`The portal of ${dataDir} is running: ${names}. Stop it first`)
}

/** Does the work while no portal runs on this data folder, nor can be started there. */
export const whilePortalIsStopped = async <T>(config: Config, work: () => Promise<T>): Promise<T> => {
  requireLocalStorage(config)
  await requireNoProcess(config.dataDir)
  const folder = openDataFolder(config.dataDir)
  try {
    return await work()
  } finally {
    folder.release()
  }
}
