import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { join } from 'node:path'

const schema = z.object({ EVENT_STORE_URL: z.string(), BUS_URL: z.string(), READ_MODEL_URL: z.string() })
/** The settings of the engines that the processes of a data folder share. */
export type FolderEngines = z.infer<typeof schema>

const fileIn = (dataDir: string): string => join(runFolderIn(dataDir), 'engines.json')

/** Says which engines the portal of a data folder uses, so that commands look at the same. Undefined: none, it is one process. */
export const recordFolderEngines = (dataDir: string, engines: FolderEngines | undefined): void => {
  if (engines === undefined) return rmSync(fileIn(dataDir), { force: true })
  mkdirSync(runFolderIn(dataDir), { recursive: true, mode: 0o700 })
  writeRunFile(fileIn(dataDir), `${JSON.stringify(schema.parse(engines), undefined, 2)}\n`)
}

export const folderEngines = (dataDir: string): FolderEngines | undefined =>
  existsSync(fileIn(dataDir)) ? schema.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))) : undefined

export const runFolderIn = (dataDir: string): string => join(dataDir, 'run')

export const pidFileIn = (dataDir: string, name: string): string => join(runFolderIn(dataDir), `${name}.pid`)

/** A full disk is no reason not to run: the portal still reads, and its health says so. */
const unlessFull = (write: () => void): void => {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** In one step: whoever reads it at any moment finds all of it. */
const writeRunFile = (file: string, text: string): void => {
  const partial = `${file}.${process.pid}.partial`
  writeFileSync(partial, text, { mode: 0o600 })
  renameSync(partial, file)
}

export type PidFile = {
  /** Adds where the process answers `/health`. */
  serves(address: string): void
  /** Removes the file, unless another process has taken the name by then. */
  remove(): void
}

/** Says under which id a process runs: the file's first line. The second is its address, once it serves. */
export const writePidFile = (dataDir: string, name: string): PidFile => {
  const file = pidFileIn(dataDir, name)
  const id = String(process.pid)
  const write = (text: string): void =>
    unlessFull(() => {
      mkdirSync(runFolderIn(dataDir), { recursive: true, mode: 0o700 })
      writeRunFile(file, text)
    })
  write(`${id}\n`)
  return {
    serves: (address) => write(`${id}\n${address}\n`),
    remove: () => {
      try {
        if (readFileSync(file, 'utf8').split('\n')[0] === id) rmSync(file)
      } catch (error) {
        // Somebody has tidied up.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    },
  }
}
