import type { Config } from '../settings/config.ts'
import { dataFiles } from '../files/data-folder.ts'
import { type RestoreMarks, requireComplete } from './restore-mark.ts'

type Store = Pick<Config, 'dataDir' | 'eventStoreUrl'>

/** The mark lies where the event store is: a store that several processes share is marked for all of them. */
export const openMarks = async ({ dataDir, eventStoreUrl }: Store): Promise<RestoreMarks> => {
  if (eventStoreUrl.startsWith('sqlite:')) {
    const { fileMarks } = await import('./file-mark.ts')
    return fileMarks(dataFiles(dataDir).restoring)
  }
  const { streamMarks } = await import('./stream-mark.ts')
  return streamMarks(eventStoreUrl)
}

/** Throws UnfinishedStoreError for a store that a restore or a move has not completed. Makes nothing that is missing. */
export const requireCompleteStore = async (store: Store): Promise<void> => {
  const marks = await openMarks(store)
  try {
    await requireComplete(marks)
  } finally {
    await marks.close()
  }
}
