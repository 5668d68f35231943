import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckpointAnswer, CheckpointRequest } from './checkpoints.ts'

/** Runs in a worker thread of checkpoints.ts. */
const port = parentPort
if (port === null || typeof workerData !== 'string')
  throw new Error('start this file as a worker with the database file as workerData')

/** While it waits for readers, commits of all processes wait. */
const lockTimeoutMs = 50

const db = new DatabaseSync(workerData, { timeout: lockTimeoutMs })
const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
const empty = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')

const answer = (text: CheckpointAnswer) => port.postMessage(text)

port.on('message', (request: CheckpointRequest) => {
  if (request === 'close') {
    db.close()
    port.close()
  } else if (request === 'copy') {
    copy.get()
    answer('copied')
  } else {
    empty.get()
    answer('emptied')
  }
})
