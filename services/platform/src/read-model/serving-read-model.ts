import { performance } from 'node:perf_hooks'
import type { ReadModel } from './port.ts'

/** One of the namespaces that a projection has been built into. */
export type Generation = { readonly name: string; readonly readModel: ReadModel }

/**
 * A projection's read model for those who read it: each call goes to the generation that serves at that moment. Whoever
 * computes writes from what was read takes the generation at hand for the whole step instead.
 */
export type ServingReadModel = ReadModel & {
  atHand(): Generation
  /** Calls back after each switch, until the answer is called. */
  onSwitch(listener: () => void): () => void
  /** To be called when a commit was answered 'sealed', or the read model turned out emptied: another generation may be there. */
  lookForNext(why: 'sealed' | 'emptied'): void
}

export type Slot = {
  readonly serving: ServingReadModel
  /** The generation that served until then. */
  switchTo(next: Generation): Generation
}

/** A projection's place among the read models: what serves, and those who want to know when that changes. */
export const createSlot = (first: Generation, lookForNext: ServingReadModel['lookForNext']): Slot => {
  let current = first
  const listeners = new Set<() => void>()

  const onSwitch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /** Who waits when the generations are switched goes on waiting for the next one. */
  const whenApplied: ReadModel['whenApplied'] = async (projection, partition, position, timeoutMs) => {
    const endsAtMs = performance.now() + timeoutMs
    for (;;) {
      const { promise: switched, resolve } = Promise.withResolvers<'switched'>()
      const forget = onSwitch(() => resolve('switched'))
      const leftMs = Math.max(0, endsAtMs - performance.now())
      const applied = current.readModel.whenApplied(projection, partition, position, leftMs)
      try {
        const outcome = await Promise.race([applied, switched])
        if (outcome !== 'switched') return outcome
        // The generation that went may be closed by now.
        applied.catch(() => undefined)
      } finally {
        forget()
      }
    }
  }

  const serving: ServingReadModel = {
    commit: (commit) => current.readModel.commit(commit),
    commitAll: (commits) => current.readModel.commitAll(commits),
    position: (projection, partition) => current.readModel.position(projection, partition),
    whenApplied,
    putImmutable: (ref, value) => current.readModel.putImmutable(ref, value),
    get: (ref) => current.readModel.get(ref),
    getMany: (refs) => current.readModel.getMany(refs),
    entry: (partition, list, member) => current.readModel.entry(partition, list, member),
    range: (partition, list, range) => current.readModel.range(partition, list, range),
    entries: (partition, lists) => current.readModel.entries(partition, lists),
    loadCursors: (consumer) => current.readModel.loadCursors(consumer),
    saveCursor: (consumer, busPartition, cursor) => current.readModel.saveCursor(consumer, busPartition, cursor),
    partitions: () => current.readModel.partitions(),
    positions: (projection) => current.readModel.positions(projection),
    digest: (projection, partition) => current.readModel.digest(projection, partition),
    seal: () => current.readModel.seal(),
    unseal: () => current.readModel.unseal(),
    check: () => current.readModel.check(),
    // Whoever opened the generations closes them.
    close: async () => {},
    atHand: () => current,
    onSwitch,
    lookForNext,
  }

  return {
    serving,
    switchTo(next) {
      const before = current
      current = next
      for (const listener of listeners) listener()
      return before
    },
  }
}
