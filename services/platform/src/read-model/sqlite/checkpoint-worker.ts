import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs in a worker thread (checkpoints.ts). Messages: 'checkpoint', which it answers with 'done', and 'close', which ends it. */
const port = parentPort
if (port === null || typeof workerData !== 'string')
  throw new Error('start this file as a worker with the database file as workerData')

const db = new DatabaseSync(workerData)
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')

port.on('message', (message: unknown) => {
  if (message === 'close') {
    db.close()
    port.close()
    return
  }
  checkpoint.get()
  port.postMessage('done')
})
