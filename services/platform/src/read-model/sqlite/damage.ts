import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { type DamageWatch, watchForDamage } from '../../files/damage-watch.ts'
import { isDamaged } from '../../files/database-file.ts'
import { ReadModelDamagedError } from '../errors.ts'

/** A row has contents that the adapter never writes. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow'
}

export const watchReadModel = (namespace: string): DamageWatch<ReadModelDamagedError> =>
  watchForDamage(
    (error) => error instanceof UnreadableRow || isDamaged(error),
    (cause) => new ReadModelDamagedError(namespace, cause),
  )

/** Takes some ten seconds to read. Damage in a larger file is found by the first call that reads it. */
const largestBytes = 4 * 1024 ** 3

/** The process never returns some 10 MB per worker thread. Threads that run one after another share them. */
const runExclusive = createKeyedMutex()
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } as const

/**
 * Checks the whole file once in a worker thread, so that damage in rarely read parts is found early. Files are checked one at a time. After
 * `stop` the result is ignored.
 */
export const checkIntegrityInBackground = (file: string, afterMs: number, onDamage: (reason: unknown) => void) => {
  let isStopped = false
  const found = (reason: unknown): void => {
    if (!isStopped) onDamage(reason)
  }
  const check = async (): Promise<void> => {
    const size = statSync(file, { throwIfNoEntry: false })?.size
    // A deleted file is not damaged: the check of health names it.
    if (isStopped || size === undefined || size > largestBytes) return
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const worker = new Worker(new URL('./integrity-worker.ts', import.meta.url), { workerData: file, resourceLimits })
    worker.unref()
    worker.on('message', (answer: unknown) => {
      if (answer !== 'ok') found(answer)
    })
    // The worker rejects if it cannot open or read the file.
    worker.on('error', found)
    worker.once('exit', () => resolve())
    await ended
  }
  const timer = setTimeout(() => void runExclusive('integrity-check', check), afterMs)
  timer.unref()
  return {
    stop() {
      clearTimeout(timer)
      isStopped = true
    },
  }
}
