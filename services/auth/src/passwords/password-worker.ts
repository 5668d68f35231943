import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordJob, PasswordJobResult, PasswordWorkerData } from './worker-pool.ts'

/**
 * A thread of password-hashing.ts. Linux has a priority per thread: hashing uses the CPU time that requests leave. On
 * other systems the call would slow down the whole process.
 */
const { niceness }: PasswordWorkerData = workerData
if (process.platform === 'linux') setPriority(0, niceness)

const outcomeOf = (job: PasswordJob): PasswordJobResult => {
  try {
    return job.kind === 'hash'
      ? { kind: 'hashed', hash: hashSync(job.password, job.cost) }
      : { kind: 'verified', isRight: verifySync(job.hash, job.password) }
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

// Worker messages have no target origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.on('message', (job: PasswordJob) => parentPort?.postMessage(outcomeOf(job)))
