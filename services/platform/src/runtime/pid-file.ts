import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const runFolderIn = (dataDir: string): string => join(dataDir, 'run')

export const pidFileIn = (dataDir: string, name: string): string => join(runFolderIn(dataDir), `${name}.pid`)

/** Says under which id a process runs. The answer takes that back, unless another process has taken the name by then. */
export const writePidFile = (dataDir: string, name: string): (() => void) => {
  const file = pidFileIn(dataDir, name)
  mkdirSync(runFolderIn(dataDir), { recursive: true, mode: 0o700 })
  // In one step: who reads it finds an id, whenever that is.
  const partial = `${file}.${process.pid}.partial`
  writeFileSync(partial, `${process.pid}\n`, { mode: 0o600 })
  renameSync(partial, file)
  return () => {
    try {
      if (readFileSync(file, 'utf8').trim() === String(process.pid)) rmSync(file)
    } catch (error) {
      // Somebody has tidied up.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}
