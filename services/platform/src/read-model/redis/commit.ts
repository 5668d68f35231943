import { checkCommit, InvalidCommit, scoreTaken } from '../invalid-commit.ts'
import type { Commit, CommitOutcome } from '../port.ts'
import { commitAnswers, commitScript } from './commit-script.ts'
import type { Connection } from './connection.ts'
import type { Enrolment } from './enrolment.ts'
import type { NamespaceKeys } from './keys.ts'
import { planCommit } from './plan-commit.ts'
import { listOf, textOf } from './replies.ts'

/**
 * One script a commit, several sent together. A commit whose answer is lost may have been applied; made again, it is a
 * conflict then, and the position tells.
 */
export const prepareCommit = (
  connection: Connection,
  keys: NamespaceKeys,
  enrolment: Enrolment,
  onCommitted: (commit: Commit) => void,
) => {
  const outcomeOf = (commit: Commit, answer: unknown): CommitOutcome => {
    if (answer === commitAnswers.committed) {
      onCommitted(commit)
      return 'committed'
    }
    if (answer === commitAnswers.sealed) return 'sealed'
    if (answer === commitAnswers.scoreTaken) throw scoreTaken(commit, undefined)
    if (answer === commitAnswers.gone) throw enrolment.gone(`partition '${commit.partition}' has lost its data`)
    const position = textOf(listOf(answer)[0])
    // Positions never go back by themselves: the server has come up with older data.
    if (position !== undefined && commit.expected !== undefined && position < commit.expected) {
      throw enrolment.gone(`${commit.projection} in '${commit.partition}' was at ${commit.expected}, now ${position}`)
    }
    return 'conflict'
  }

  const send = async (commit: Commit): Promise<CommitOutcome> => {
    const partitionKeys = keys.of(commit.partition)
    const planned = planCommit(commit, partitionKeys, enrolment.epoch)
    if (!enrolment.isEnrolled(commit.partition) && (await enrolment.enrol(commit.partition)) === 'sealed') {
      return 'sealed'
    }
    return outcomeOf(commit, await connection.run(commitScript, planned.keys, planned.args))
  }

  const commitAll = async (commits: readonly Commit[]): Promise<readonly CommitOutcome[]> => {
    for (const commit of commits) checkCommit(commit)
    const settled = await Promise.allSettled(commits.map(send))
    const failures: unknown[] = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    // What is wrong for good says more than what passes.
    if (failures.length > 0) throw failures.find((failure) => failure instanceof InvalidCommit) ?? failures[0]
    return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  }

  return {
    async commit(commit: Commit): Promise<CommitOutcome> {
      checkCommit(commit)
      return send(commit)
    },
    commitAll,
  }
}
