import { Worker } from 'node:worker_threads'

/** Roughly 8 to 32 MiB of log. */
const writesBetween = 5_000

/**
 * Moves what was committed from the write-ahead log into the database file, in a thread of its own: done by the commit
 * that happens to fill the log, as SQLite does by itself, it held up the event loop for 12 to 35 ms at a time and took a
 * third of a send to 10,000 inboxes. Should the thread fail, or fall behind, the commits do it after all
 * (wal_autocheckpoint in database.ts), so the log stays bounded.
 */
export const checkpointInBackground = (file: string) => {
  let thread: { readonly worker: Worker; readonly ended: Promise<void> } | undefined
  let isBusy = false
  let unmoved = 0

  const start = () => {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file })
    worker.unref()
    worker.on('message', () => (isBusy = false))
    // It stays busy for good: the commits take over, and report what is wrong with the file, if anything is.
    worker.on('error', () => (isBusy = true))
    return { worker, ended: new Promise<void>((resolve) => worker.once('exit', () => resolve())) }
  }

  const tell = ({ worker }: { readonly worker: Worker }, message: 'checkpoint' | 'close') =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(message)

  return {
    /** To be told after each commit how much it wrote. */
    wrote(writes: number): void {
      unmoved += writes
      if (unmoved < writesBetween || isBusy) return
      unmoved = 0
      isBusy = true
      thread ??= start()
      tell(thread, 'checkpoint')
    },
    async close(): Promise<void> {
      if (thread === undefined) return
      thread.worker.ref()
      tell(thread, 'close')
      await thread.ended
    },
  }
}
