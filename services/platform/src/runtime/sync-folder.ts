import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns once the names in the folder are on disk. */
export const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
