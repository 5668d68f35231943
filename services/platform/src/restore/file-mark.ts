import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder, writeSecretFile } from '../files/durable-write.ts'
import { type RestoreMarks, restoreMarkSchema } from './restore-mark.ts'

/** The mark in a file of the data folder. */
export const fileMarks = (path: string): RestoreMarks => ({
  read: async () => {
    if (!existsSync(path)) return undefined
    return restoreMarkSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  },
  write: async (mark) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeSecretFile(path, `${JSON.stringify(restoreMarkSchema.parse(mark), undefined, 2)}\n`)
  },
  clear: async () => {
    rmSync(path, { force: true })
    syncFolder(dirname(path))
  },
  check: async () => undefined,
  close: async () => undefined,
})
