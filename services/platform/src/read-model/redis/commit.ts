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
  /** Positions never go back by themselves: the server has come up again with older data. */
  const checkNotGoneBack = ({ projection, partition, expected }: Commit, position: string | undefined) => {
    if (expected === undefined) return
    const isBack = position === undefined ? enrolment.hasSeen(projection, partition) : position < expected
    if (isBack) {
      throw enrolment.gone(`${projection} in '${partition}' was at ${expected} and is at ${position ?? 'none'}`)
    }
  }

  const outcomeOf = (commit: Commit, answer: unknown): CommitOutcome => {
    if (answer === commitAnswers.committed) {
      enrolment.saw(commit.projection, commit.partition)
      onCommitted(commit)
      return 'committed'
    }
    if (answer === commitAnswers.sealed) return 'sealed'
    if (answer === commitAnswers.scoreTaken) throw scoreTaken(commit, undefined)
    if (answer === commitAnswers.gone) throw enrolment.gone(`partition '${commit.partition}' has lost its data`)
    checkNotGoneBack(commit, textOf(listOf(answer)[0]))
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
