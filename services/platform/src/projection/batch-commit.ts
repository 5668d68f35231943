import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { InvalidCommit } from '../read-model/errors.ts'
import type { Commit, CommitOutcome, ProjectionWriter } from '../read-model/port.ts'
import type { PartitionApplier, ApplyOutcome } from './partition-applier.ts'

/** Limits one write of the read model to some 3 ms, because requests wait meanwhile. */
const batchLimits = { commits: 32, writes: 600 } as const

export type OnOutcome = (outcome: ApplyOutcome, partition: string, envelope: Envelope) => void

export type BatchCommit = {
  /** Adds a message of a partition. It is applied or dead-lettered once `flush` has resolved. */
  add(partition: string, envelope: Envelope): Promise<void>
  flush(): Promise<void>
  /** Drops messages that were added and not flushed, after a failure. They will be redelivered. */
  discard(): void
}

type Prepared = { readonly commit: Commit; readonly envelope: Envelope }

/**
 * Commits messages of different partitions in one write of the read model, which makes a send to many inboxes much faster. A second
 * message of a partition waits for the commit of the first.
 */
export const createBatchCommit = (
  readModel: ProjectionWriter,
  { apply, prepare, settle }: PartitionApplier,
  onOutcome: OnOutcome,
): BatchCommit => {
  let prepared = new Map<string, Prepared>()
  let writes = 0

  const takeAll = (): readonly Prepared[] => {
    const all = [...prepared.values()]
    prepared = new Map()
    writes = 0
    return all
  }

  /** 'unknown' for all if one commit is invalid. Each message is then applied on its own. */
  const outcomesOf = async (all: readonly Prepared[]): Promise<readonly (CommitOutcome | 'unknown')[]> => {
    try {
      return await readModel.commitAll(all.map(({ commit }) => commit))
    } catch (error) {
      for (const { commit } of all) settle(commit, 'unknown')
      if (error instanceof InvalidCommit) return all.map(() => 'unknown')
      throw error
    }
  }

  const flush = async (): Promise<void> => {
    if (prepared.size === 0) return
    const all = takeAll()
    const outcomes = await outcomesOf(all)
    for (const [index, { commit }] of all.entries()) settle(commit, outcomes[index] ?? 'unknown')
    for (const [index, { commit, envelope }] of all.entries()) {
      const isCommitted = outcomes[index] === 'committed'
      onOutcome(isCommitted ? 'applied' : await apply(commit.partition, envelope), commit.partition, envelope)
    }
  }

  return {
    flush,
    discard: () => {
      for (const { commit } of takeAll()) settle(commit, 'unknown')
    },
    async add(partition, envelope) {
      if (prepared.has(partition) || prepared.size >= batchLimits.commits || writes >= batchLimits.writes) await flush()
      const commit = await prepare(partition, envelope)
      if (commit === 'known') onOutcome('known', partition, envelope)
      else if (commit === undefined) onOutcome(await apply(partition, envelope), partition, envelope)
      else {
        prepared.set(partition, { commit, envelope })
        writes += commit.writes.length
      }
    },
  }
}
