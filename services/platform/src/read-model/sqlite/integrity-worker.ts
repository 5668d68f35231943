import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs in a worker thread (damage.ts). Posts 'ok', or the first error in the file. */
const port = parentPort
if (port === null || typeof workerData !== 'string')
  throw new Error('start this file as a worker with the database file as workerData')

const checkIntegrity = (file: string): string => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
  } finally {
    db.close()
  }
}

port.postMessage(checkIntegrity(workerData))
