import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { join } from 'node:path'

const schema = z.object({ EVENT_STORE_URL: z.string(), BUS_URL: z.string(), READ_MODEL_URL: z.string() })
/** The engine addresses that the processes of a data folder share. */
export type FolderEngines = z.infer<typeof schema>

const fileIn = (dataDir: string): string => join(runFolderIn(dataDir), 'engines.json')

/** Records the engines of a data folder's portal, so that commands use the same. Undefined for a standalone portal. */
export const recordFolderEngines = (dataDir: string, engines: FolderEngines | undefined): void => {
  if (engines === undefined) return rmSync(fileIn(dataDir), { force: true })
  mkdirSync(runFolderIn(dataDir), { recursive: true, mode: 0o700 })
  writeRunFile(fileIn(dataDir), `${JSON.stringify(schema.parse(engines), undefined, 2)}\n`)
}

const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES'])

/** Undefined if there is no such file, or none that this user can read. Other processes may remove it at any moment. */
const readIfPresent = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return undefined
    throw error
  }
}

export const folderEngines = (dataDir: string): FolderEngines | undefined => {
  const text = readIfPresent(fileIn(dataDir))
  return text === undefined ? undefined : schema.parse(JSON.parse(text))
}

export const runFolderIn = (dataDir: string): string => join(dataDir, 'run')

export const pidFileIn = (dataDir: string, name: string): string => join(runFolderIn(dataDir), `${name}.pid`)

/** A full disk must not prevent the start: the portal still serves reads, and its health reports the problem. */
const unlessFull = (write: () => void): void => {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** Replaces the file atomically, so that no reader sees a part. */
const writeRunFile = (file: string, text: string): void => {
  const partial = `${file}.${process.pid}.partial`
  writeFileSync(partial, text, { mode: 0o600 })
  renameSync(partial, file)
}

export type PidFile = {
  /** The process that left the file behind, because it was killed or lost power. */
  readonly leftBy: string | undefined
  /** Adds the address of the process, where it serves `/health`. */
  serves(address: string): void
  /** Removes the file unless another process has replaced it. */
  remove(): void
}

/** Writes the process id to the first line of the file. The second line is the address, once the process serves. */
export const writePidFile = (dataDir: string, name: string): PidFile => {
  const file = pidFileIn(dataDir, name)
  const id = String(process.pid)
  const write = (text: string): void =>
    unlessFull(() => {
      mkdirSync(runFolderIn(dataDir), { recursive: true, mode: 0o700 })
      writeRunFile(file, text)
    })
  const leftBy = readIfPresent(file)?.split('\n')[0]
  write(`${id}\n`)
  return {
    leftBy,
    serves: (address) => write(`${id}\n${address}\n`),
    remove: () => {
      if (readIfPresent(file)?.split('\n')[0] === id) rmSync(file, { force: true })
    },
  }
}
