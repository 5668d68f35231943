import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs in a thread of its own (see damage.ts). Answers 'ok', or what is wrong with the file. */
const port = parentPort
if (port === null || typeof workerData !== 'string')
  throw new Error('To be started as a worker, with the file as its data')

const examine = (file: string): string => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
  } finally {
    db.close()
  }
}

port.postMessage(examine(workerData))
