import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { ReadModelDamagedError } from '../errors.ts'

const corrupt = 11 // SQLITE_CORRUPT
const notADatabase = 26 // SQLITE_NOTADB

/** A row holds what was never written to it. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow'
}

/** Extended codes hold the kind of error in their lowest byte. */
const isDamage = (error: unknown): boolean => {
  if (error instanceof UnreadableRow) return true
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false
  return [corrupt, notADatabase].includes(error.errcode & 0xff)
}

export type DamageWatch = {
  /** Runs the work, and notices what it finds of the file. */
  notice<T>(work: () => T): T
  found(cause: unknown): ReadModelDamagedError
  /** Rejects once damage was found. */
  check(): void
}

/** What was found stays so: a file does not mend by itself. */
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

/** Some ten seconds of reading; damage in a larger file is found by whichever call meets it. */
const largestBytes = 4 * 1024 ** 3

/** A thread keeps some 10 MB of the process for good, which those that run one after the other share. */
const runExclusive = createKeyedMutex()
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } as const

/**
 * Reads the whole file once, in a thread of its own, so that damage in a part that is seldom read is known before it is
 * needed. Ends with the answer, or when `stop` is called. Files are read one at a time.
 */
export const checkIntegrityInBackground = (file: string, afterMs: number, onDamage: (reason: unknown) => void) => {
  let isStopped = false
  const found = (reason: unknown): void => {
    if (!isStopped) onDamage(reason)
  }
  const examine = async (): Promise<void> => {
    if (isStopped || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) return
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const worker = new Worker(new URL('./integrity-worker.ts', import.meta.url), { workerData: file, resourceLimits })
    worker.unref()
    worker.on('message', (answer: unknown) => {
      if (answer !== 'ok') found(answer)
    })
    // A file that cannot even be opened is known to whoever has it open.
    worker.on('error', found)
    worker.once('exit', () => resolve())
    await ended
  }
  const timer = setTimeout(() => void runExclusive('examination', examine), afterMs)
  timer.unref()
  return {
    stop() {
      clearTimeout(timer)
      isStopped = true
    },
  }
}
