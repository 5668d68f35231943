import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLocked } from '../settings/is-locked.ts'

export type ProcessStatus = { readonly process: string; readonly pid: number; readonly status: 'running' | 'gone' }

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's: it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The processes that have written their ids under the data folder. One that has ended in order has taken its file away. */
export const processesStatus = (dataDir: string): readonly ProcessStatus[] => {
  const folder = join(dataDir, 'run')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.pid'))
    .toSorted()
    .flatMap((file) => {
      const pid = Number.parseInt(readFileSync(join(folder, file), 'utf8'), 10)
      if (!Number.isSafeInteger(pid) || pid < 1) return []
      return [{ process: file.slice(0, -'.pid'.length), pid, status: isRunning(pid) ? 'running' : 'gone' } as const]
    })
}

/** A portal on one machine holds its data folder for as long as it runs. */
export const isDataFolderTaken = (dataDir: string): boolean => isLocked(join(dataDir, 'lock.db'))
