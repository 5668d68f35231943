import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { runFolderIn, writeRunFile } from './pid-file.ts'

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
