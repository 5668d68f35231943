import { Worker } from 'node:worker_threads'
import { createRunningState } from '@portal/platform/async/running-state'

export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number }

/** Messages between password-hashing.ts and its threads. Both come from one build, so nothing is parsed. */
export type PasswordJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: PasswordCost }
  | { readonly kind: 'verify'; readonly hash: string; readonly password: string }

export type PasswordJobResult =
  | { readonly kind: 'hashed'; readonly hash: string }
  | { readonly kind: 'verified'; readonly isRight: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

export type PasswordWorkerData = { readonly niceness: number }

/** The queue is full: another job would not finish in time. */
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
  /** First in, first out. Rejects with PasswordsBusyError if the queue is full. */
  run(job: PasswordJob): Promise<PasswordJobResult>
  /** Queued jobs, and threads at work. */
  load(): PoolLoad
  close(): Promise<void>
}
export type PoolLoad = { readonly waiting: number; readonly inProgress: number }

/** Limits of a thread's heap, which holds one job. The memory of argon2 comes on top. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } as const

/**
 * Threads that each run one job at a time. They start on demand, are replaced after a crash, and keep the process alive
 * only while they work.
 */
export const openWorkerPool = ({ threads, maxQueued, niceness }: WorkerPoolOptions): WorkerPool => {
  const idle: Worker[] = []
  const busy = new Map<Worker, Task>()
  const waiting: Task[] = []
  const state = createRunningState(() => new Error('password hashing has stopped: the service is stopping'))

  const startMore = (): void => {
    while (idle.length > 0 || busy.size < threads) {
      const task = waiting.shift()
      if (!task) return
      const worker = idle.pop() ?? startWorker()
      busy.set(worker, task)
      worker.ref()
      // Worker messages have no target origin.
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
      const index = idle.indexOf(worker)
      if (index !== -1) idle.splice(index, 1)
      task?.reject(error)
      if (!state.isStopped()) startMore()
    }
    worker.on('error', onBroken)
    worker.on('exit', () => onBroken(new Error('password thread exited before its job was done')))
    return worker
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        state.assertRunning()
        if (waiting.length >= maxQueued) reject(new PasswordsBusyError('password queue is full'))
        else {
          waiting.push({ job, resolve, reject })
          startMore()
        }
      }),
    load: () => ({ waiting: waiting.length, inProgress: busy.size }),
    close: async () => {
      state.stop()
      for (const task of waiting.splice(0)) task.reject(new Error('password hashing has stopped'))
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()))
    },
  }
}
