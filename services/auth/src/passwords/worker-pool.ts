import { Worker } from 'node:worker_threads'
import { createRunningState } from '@portal/platform/async/running-state'

export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number }

/** What password-hashing.ts and its threads say to each other; both are of one build, so nothing is parsed. */
export type PasswordJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: PasswordCost }
  | { readonly kind: 'verify'; readonly hash: string; readonly password: string }

export type PasswordJobResult =
  | { readonly kind: 'hashed'; readonly hash: string }
  | { readonly kind: 'verified'; readonly isRight: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export type PasswordWorkerData = { readonly niceness: number }

/** So much is waiting that one more would not be answered in good time. */
export class PasswordsBusyError extends Error {
  override readonly name = 'PasswordsBusyError'
}

type Task = {
  readonly job: PasswordJob
  readonly resolve: (outcome: PasswordJobResult) => void
  readonly reject: (error: Error) => void
}

type WorkerPoolOptions = { readonly threads: number; readonly maxQueued: number; readonly niceness: number }

type WorkerPool = {
  /** First come, first served. Rejects with PasswordsBusyError instead of queueing without end. */
  run(job: PasswordJob): Promise<PasswordJobResult>
  /** How many jobs wait, and how many threads have one. */
  load(): PoolLoad
  close(): Promise<void>
}
export type PoolLoad = { readonly waiting: number; readonly underWay: number }

/** Of a thread's own heap, which only ever holds one job; argon2's memory comes on top. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } as const

/**
 * Threads that each do one job at a time. They are started when first needed, replaced when they break, and keep the
 * process alive only while they work.
 */
export const openWorkerPool = ({ threads, maxQueued, niceness }: WorkerPoolOptions): WorkerPool => {
  const idle: Worker[] = []
  const busy = new Map<Worker, Task>()
  const waiting: Task[] = []
  const state = createRunningState(() => new Error('Passwords are no longer hashed: the service is stopping'))

  const startMore = (): void => {
    while (idle.length > 0 || busy.size < threads) {
      const task = waiting.shift()
      if (!task) return
      const worker = idle.pop() ?? startWorker()
      busy.set(worker, task)
      worker.ref()
      // A thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(task.job)
    }
  }

  const startWorker = (): Worker => {
    const workerData: PasswordWorkerData = { niceness }
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
      name: 'passwords',
      workerData,
      resourceLimits,
    })
    worker.on('message', (outcome: PasswordJobResult) => {
      const task = busy.get(worker)
      busy.delete(worker)
      worker.unref()
      idle.push(worker)
      task?.resolve(outcome)
      startMore()
    })
    const onBroken = (error: Error) => {
      const task = busy.get(worker)
      busy.delete(worker)
      const place = idle.indexOf(worker)
      if (place !== -1) idle.splice(place, 1)
      task?.reject(error)
      if (!state.isStopped()) startMore()
    }
    worker.on('error', onBroken)
    worker.on('exit', () => onBroken(new Error('A password thread ended before its work')))
    return worker
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        state.assertRunning()
        if (waiting.length >= maxQueued) reject(new PasswordsBusyError('Too many passwords are waiting'))
        else {
          waiting.push({ job, resolve, reject })
          startMore()
        }
      }),
    load: () => ({ waiting: waiting.length, underWay: busy.size }),
    close: async () => {
      state.stop()
      for (const task of waiting.splice(0)) task.reject(new Error('Passwords are no longer hashed'))
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()))
    },
  }
}
