import { InvalidCommit } from '../errors.ts'
import { checkCommit, scoreTaken } from '../limits.ts'
import type { Commit, CommitOutcome, ProjectionWriter } from '../port.ts'
import { documentRow } from '../row-names.ts'
import { listOf, script, textOf } from './client.ts'
import { commitAnswers, commitScript, planCommit } from './commit-script.ts'
import type { Connection } from './connection.ts'
import type { DataLossGuard } from './data-loss-guard.ts'
import type { NamespaceKeys } from './keys.ts'
import type { PartitionRegistry } from './partition-registry.ts'

/** If older data is accepted, a partition that is missing on the server begins again. */
const commitAttempts = 3

/** KEYS: meta, rows. ARGV: epoch, row, text. Returns 0 in a partition with another epoch or none. */
const putScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
return 1
`)

/** Before the second attempt, the partition has begun or is known to be lost. */
const putAttempts = 2

/**
 * Runs one script for each commit and pipelines several. A commit whose reply was lost may have been applied. Repeating it is then a
 * conflict, and the position shows that it was applied.
 */
export const prepareWrite = (
  connection: Connection,
  keys: NamespaceKeys,
  guard: DataLossGuard,
  registry: PartitionRegistry,
  onCommitted: (commit: Commit) => void,
): ProjectionWriter => {
  const outcomeOf = (commit: Commit, answer: unknown): CommitOutcome => {
    const { projection, partition, position } = commit
    if (answer === commitAnswers.committed) {
      guard.sawPosition(projection, partition, position)
      onCommitted(commit)
      return 'committed'
    }
    if (answer === commitAnswers.fenced) return 'fenced'
    if (answer === commitAnswers.scoreTaken) throw scoreTaken(commit, undefined)
    guard.checkPosition(projection, partition, textOf(listOf(answer)[0]))
    return 'conflict'
  }

  /** The `lostConnections` to write with. Retries on a new connection, because nothing has been written yet. */
  const registered = async (partition: string): Promise<number | 'fenced'> => {
    for (let attempt = 1; ; attempt++) {
      const during = await guard.beforeWrite()
      if (registry.isRegistered(partition)) return during
      try {
        if ((await registry.register(partition, during)) === 'fenced') return 'fenced'
        return during
      } catch (error) {
        if (connection.lostConnections === during || attempt === commitAttempts) throw error
      }
    }
  }

  const send = async (commit: Commit): Promise<CommitOutcome> => {
    const { partition } = commit
    const planned = planCommit(commit, keys.of(partition), guard.epoch)
    for (let attempt = 0; attempt < commitAttempts; attempt++) {
      const during = await registered(partition)
      if (during === 'fenced') return 'fenced'
      const answer = await connection.run(commitScript, planned.keys, planned.args, during)
      if (answer !== commitAnswers.gone) return outcomeOf(commit, answer)
      await guard.partitionGone(partition)
    }
    throw guard.markEmptied(`partition '${partition}' has lost its data`)
  }

  return {
    async commit(commit) {
      checkCommit(commit)
      return send(commit)
    },
    async commitAll(commits) {
      for (const commit of commits) checkCommit(commit)
      const settled = await Promise.allSettled(commits.map(send))
      const failures: unknown[] = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      // A permanent error is more useful than a transient one.
      if (failures.length > 0) throw failures.find((failure) => failure instanceof InvalidCommit) ?? failures[0]
      return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    },
    async putImmutable({ partition, collection, key }, value) {
      const { meta, rows } = keys.of(partition)
      const args = [guard.epoch, documentRow(collection, key), JSON.stringify(value)]
      for (let attempt = 0; attempt < putAttempts; attempt++) {
        const during = await guard.beforeWrite()
        if ((await connection.run(putScript, [meta, rows], args, during)) === 1) return
        if (registry.isRegistered(partition)) await guard.partitionGone(partition)
        await registry.begin(partition, during)
      }
      throw guard.markEmptied(`partition '${partition}' has lost its data`)
    },
  }
}
