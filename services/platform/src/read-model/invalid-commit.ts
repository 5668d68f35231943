import { readModelLimits } from './limits.ts'
import type { Commit, Write } from './port.ts'

/**
 * The commit can never succeed, whatever the state of the database: a mistake of the projection, not of the machine.
 * The runner parks the message instead of trying for ever.
 */
export class InvalidCommit extends Error {
  override readonly name = 'InvalidCommit'
}

const checkWrite = (write: Write): void => {
  if (write.op === 'add' && !Number.isSafeInteger(write.score)) {
    throw new InvalidCommit(`list '${write.list}': score ${write.score} is not a safe integer`)
  }
  if (write.op === 'trim' && !Number.isSafeInteger(write.upToScore)) {
    throw new InvalidCommit(`list '${write.list}': cannot trim up to ${write.upToScore}, not a safe integer`)
  }
}

/** What every adapter checks before it touches anything. */
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
