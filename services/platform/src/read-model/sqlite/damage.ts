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
