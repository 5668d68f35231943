import { InvalidCommit, ReadLimitExceeded } from './errors.ts'
import type { Commit, Write } from './port.ts'

/** The limits of every adapter. The contract suite checks them. */
export const readModelLimits = {
  writesPerCommit: 10_000,
  documentsPerRead: 10_000,
  entriesPerRead: 1_000,
  entriesPerRange: 1_000,
  /** Maximum requests that wait for a projection at the same time. */
  waiting: 20_000,
} as const

export const checkAtMost = (count: number, most: number, what: string): void => {
  if (count > most) throw new ReadLimitExceeded(`${what}: ${count} asked for, at most ${most} at once`)
}

export const checkNamespace = (namespace: string): void => {
  if (!/^[a-z0-9][a-z0-9.-]{0,63}$/.test(namespace)) throw new Error(`Read-model namespace '${namespace}' is not valid`)
}

const checkWrite = (write: Write): void => {
  if (write.op === 'add' && !Number.isSafeInteger(write.score)) {
    throw new InvalidCommit(`list '${write.list}': score ${write.score} is not a safe integer`)
  }
  if (write.op === 'trim' && !Number.isSafeInteger(write.upToScore)) {
    throw new InvalidCommit(`list '${write.list}': cannot trim up to ${write.upToScore}, not a safe integer`)
  }
}

/** Every adapter calls it before a commit changes anything. */
export const checkCommit = ({ projection, partition, expected, position, writes }: Commit): void => {
  if (expected !== undefined && position <= expected) {
    throw new InvalidCommit(`${projection} in '${partition}': position ${position} is not behind ${expected}`)
  }
  if (writes.length > readModelLimits.writesPerCommit) {
    throw new InvalidCommit(`${projection} in '${partition}': ${writes.length} writes in one commit`)
  }
  for (const write of writes) checkWrite(write)
}

export const scoreTaken = ({ projection, partition }: Commit, cause: unknown): InvalidCommit =>
  new InvalidCommit(`${projection} in '${partition}': two members of a list would have the same score`, { cause })
