import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { dataFiles } from '../files/data-folder.ts'
import { syncFolder, writeSecretFile } from '../files/durable-write.ts'
import type { Config } from '../settings/config.ts'
import { requireComplete, type RestoreMarks, restoreMarkSchema } from './restore-mark.ts'

/** Stores the mark in a file of the data folder. */
const fileMarks = (path: string): RestoreMarks => ({
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

type Store = Pick<Config, 'dataDir' | 'eventStoreUrl'>

/** The mark is stored with the event store, so that all processes that share the store see it. */
export const openMarks = async ({ dataDir, eventStoreUrl }: Store): Promise<RestoreMarks> => {
  if (eventStoreUrl.startsWith('sqlite:')) return fileMarks(dataFiles(dataDir).restoring)
  const { streamMarks } = await import('./stream-mark.ts')
  return streamMarks(eventStoreUrl)
}

/** Throws UnfinishedStoreError for a store with an unfinished restore or move. Creates no files. */
export const requireCompleteStore = async (store: Store): Promise<void> => {
  const marks = await openMarks(store)
  try {
    await requireComplete(marks)
  } finally {
    await marks.close()
  }
}
