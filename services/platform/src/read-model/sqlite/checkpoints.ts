import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** How much the write-ahead log grows before it is checkpointed, and before commits wait for the checkpoint. */
const checkpointBytes = 16 * 1024 * 1024
const waitBytes = 28 * 1024 * 1024

/** 'copied': the pages are in the database file. 'emptied': the log begins again, unless another process reads. */
export type CheckpointAnswer = 'copied' | 'emptied'
export type CheckpointRequest = 'copy' | 'empty' | 'close'

type Thread = { readonly worker: Worker; readonly ended: Promise<void> }

/**
 * Checkpoints the write-ahead log in a worker thread. Commits go on while it copies their pages, so a log under constant writing would
 * never end. They wait while the thread copies the last pages and empties the log.
 *
 * SQLite's own checkpoint runs in the commit that fills the log. It blocked the event loop for 12 to 35 ms and took a third of a send to
 * 10,000 inboxes. If the thread fails, commits do it (wal_autocheckpoint in database.ts), so the log stays bounded.
 */
export const checkpointInBackground = (file: string) => {
  let thread: Thread | undefined
  let running: (PromiseWithResolvers<void> & { isEmptying: boolean }) | undefined
  let hasFailed = false
  let isClosing = false
  /** What the last checkpoint left, because another process was reading. */
  let leftBytes = 0

  const logBytes = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

  const grownBytes = (): number => {
    const bytes = logBytes()
    leftBytes = Math.min(leftBytes, bytes)
    return bytes - leftBytes
  }

  const finish = () => {
    leftBytes = logBytes()
    if (!isClosing) thread?.worker.unref()
    running?.resolve()
    running = undefined
  }

  const post = (worker: Worker, request: CheckpointRequest) =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(request)

  const start = (): Thread => {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file })
    worker.unref()
    worker.on('message', (answer: CheckpointAnswer) => {
      if (answer === 'emptied' || running === undefined) return finish()
      running.isEmptying = true
      post(worker, 'empty')
    })
    worker.on('error', () => {
      hasFailed = true
      finish()
    })
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        finish()
        resolve()
      })
    })
    return { worker, ended }
  }

  return {
    /** Call it after each commit. */
    onCommit(): void {
      if (running !== undefined || hasFailed || grownBytes() < checkpointBytes) return
      running = { ...Promise.withResolvers<void>(), isEmptying: false }
      thread ??= start()
      post(thread.worker, 'copy')
    },
    /** Call it before each write: what it has to wait for. */
    whenRoom(): Promise<void> | undefined {
      if (running === undefined || !(running.isEmptying || grownBytes() >= waitBytes)) return undefined
      // Keeps the process alive while a commit waits.
      thread?.worker.ref()
      return running.promise
    },
    async close(): Promise<void> {
      if (thread === undefined) return
      isClosing = true
      thread.worker.ref()
      post(thread.worker, 'close')
      await thread.ended
    },
  }
}
