import type { Commit, CommitOutcome, ReadModel } from '../../src/read-model/port.ts'
import { openSqliteReadModel } from '../../src/read-model/sqlite.ts'
import { ReadModelEmptiedError, ReadModelWentBackError } from '../../src/read-model/errors.ts'

type Written =
  | { readonly kind: 'commit'; readonly commit: Commit }
  | { readonly kind: 'cursor'; readonly cursor: readonly [consumer: string, busPartition: string, cursor: string] }

const inMemory = () => openSqliteReadModel({ path: ':memory:', namespace: 'main' })

/**
 * A read model on a server that may lose acknowledged writes. After a loss, its connections reject every write
 * until `acceptOlder`, and forever once it was emptied. Unlike the Redis adapter, they do not reject reads.
 */
export const fallibleServer = () => {
  let held = inMemory()
  let written: Written[] = []
  let losses = 0
  let emptied = 0

  const apply = async (target: ReadModel, one: Written): Promise<void> => {
    if (one.kind === 'commit') await target.commit(one.commit)
    else await target.saveCursor(...one.cursor)
  }

  const restoreTo = async (kept: readonly Written[]) => {
    const before = held
    const restored = inMemory()
    for (const one of kept) await apply(restored, one)
    held = restored
    written = [...kept]
    await before.close()
  }

  const connect = (): ReadModel => {
    const [openedAfter, epoch] = [emptied, held.epoch]
    let accepted = losses
    let isWhole = true

    const writing = () => {
      if (openedAfter !== emptied) throw new ReadModelEmptiedError('main', 'a test did it')
      if (accepted !== losses) throw new ReadModelWentBackError('main', 'a test did it', isWhole)
    }
    const commit: ReadModel['commit'] = async (one) => {
      writing()
      const outcome = await held.commit(one)
      if (outcome === 'committed') written.push({ kind: 'commit', commit: one })
      return outcome
    }
    const reading = () => {
      if (openedAfter !== emptied) throw new ReadModelEmptiedError('main', 'a test did it')
      return held
    }
    notices.push((whole) => (isWhole = whole))
    return {
      ...held,
      epoch,
      commit,
      commitAll: async (commits) => {
        const outcomes: CommitOutcome[] = []
        for (const one of commits) outcomes.push(await commit(one))
        return outcomes
      },
      saveCursor: async (...cursor) => {
        writing()
        await held.saveCursor(...cursor)
        written.push({ kind: 'cursor', cursor })
      },
      position: async (...given) => reading().position(...given),
      positions: async (...given) => reading().positions(...given),
      positionIds: async (...given) => reading().positionIds(...given),
      get: async (...given) => reading().get(...given),
      getMany: async (...given) => reading().getMany(...given),
      entry: async (...given) => reading().entry(...given),
      range: async (...given) => reading().range(...given),
      loadCursors: async (...given) => reading().loadCursors(...given),
      check: async () => writing(),
      acceptOlder: () => (accepted = losses),
      close: async () => undefined,
    }
  }
  const notices: ((isWhole: boolean) => void)[] = []

  return {
    connect,
    get held() {
      return held
    },
    writes: () => written.length,
    /** Removes the last writes of the server's log, as a failover does. */
    async goBack(count: number) {
      losses++
      for (const notice of notices) notice(true)
      await restoreTo(written.slice(0, Math.max(0, written.length - count)))
    },
    /** Loses commits but not cursors, as a cluster does when one node fails. */
    async loseCommits(count: number) {
      losses++
      for (const notice of notices) notice(false)
      const commits = written.filter(({ kind }) => kind === 'commit').slice(-count)
      await restoreTo(written.filter((one) => !commits.includes(one)))
    },
    async empty() {
      emptied++
      await restoreTo([])
    },
    close: () => held.close(),
  }
}
