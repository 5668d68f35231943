import { Worker } from 'node:worker_threads'

/** Roughly 8 to 32 MiB of write-ahead log. */
const writesPerCheckpoint = 5_000

/**
 * Checkpoints the write-ahead log in a worker thread. SQLite's own checkpoint runs in the commit that fills the log. It blocked the event
 * loop for 12 to 35 ms and took a third of a send to 10,000 inboxes.
 *
 * If the thread fails or falls behind, commits checkpoint (wal_autocheckpoint in database.ts), so the log stays bounded.
 */
export const checkpointInBackground = (file: string) => {
  let thread: { readonly worker: Worker; readonly ended: Promise<void> } | undefined
  let isBusy = false
  let writesSinceCheckpoint = 0

  const start = () => {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file })
    worker.unref()
    worker.on('message', () => (isBusy = false))
    // Stays busy, so that commits checkpoint from now on and report errors of the file.
    worker.on('error', () => (isBusy = true))
    return { worker, ended: new Promise<void>((resolve) => worker.once('exit', () => resolve())) }
  }

  const post = ({ worker }: { readonly worker: Worker }, message: 'checkpoint' | 'close') =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(message)

  return {
    /** Call it after each commit with the number of its writes. */
    onWrite(writes: number): void {
      writesSinceCheckpoint += writes
      if (writesSinceCheckpoint < writesPerCheckpoint || isBusy) return
      writesSinceCheckpoint = 0
      isBusy = true
      thread ??= start()
      post(thread, 'checkpoint')
    },
    async close(): Promise<void> {
      if (thread === undefined) return
      thread.worker.ref()
      post(thread, 'close')
      await thread.ended
    },
  }
}
