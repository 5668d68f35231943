import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { ReadModelDamagedError } from '../errors.ts'

const corrupt = 11 // SQLITE_CORRUPT
const notADatabase = 26 // SQLITE_NOTADB

/** A row has contents that the adapter never writes. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow'
}

/** The lowest byte of an extended error code is its primary code. */
const isDamage = (error: unknown): boolean => {
  if (error instanceof UnreadableRow) return true
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false
  return [corrupt, notADatabase].includes(error.errcode & 0xff)
}

export type DamageWatch = {
  /** Runs the work, and records damage that it finds. */
  notice<T>(work: () => T): T
  found(cause: unknown): ReadModelDamagedError
  /** Throws once damage was found. */
  check(): void
}

/** Remembers damage, because a file does not repair itself. */
export const watchForDamage = (namespace: string): DamageWatch => {
  let damaged: ReadModelDamagedError | undefined
  const found = (cause: unknown) => (damaged ??= new ReadModelDamagedError(namespace, cause))
  return {
    found,
    notice(work) {
      try {
        return work()
      } catch (error) {
        throw isDamage(error) ? found(error) : error
      }
    },
    check() {
      if (damaged !== undefined) throw damaged
    },
  }
}

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
