import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs in a thread of its own (see checkpoints.ts). Messages: 'checkpoint', answered by 'done'; 'close', which ends it. */
const port = parentPort
if (port === null || typeof workerData !== 'string')
  throw new Error('To be started as a worker, with the file as its data')

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
