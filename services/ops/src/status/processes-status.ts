import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFolderIn } from '@portal/platform/runtime/pid-file'

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
  const folder = runFolderIn(dataDir)
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
