import { performance } from 'node:perf_hooks'
import { isLost } from './lost.ts'
import type { ReadModel } from './port.ts'

/** One of the namespaces that a projection has been built into. */
export type Generation = {
  readonly name: string
  readonly readModel: ReadModel
  /** What readers are told, where it is not the namespace's own: that of the generation before, which was proved equal. */
  readonly epoch?: string
}

/** What is read of one generation. */
export type GenerationReads = Pick<ReadModel, 'epoch' | 'get' | 'getMany' | 'entry' | 'range' | 'entries'>

/**
 * A projection's read model for those who read it: each call goes to the generation that serves at that moment. Whoever
 * computes writes from what was read takes the generation at hand for the whole step instead.
 */
export type ServingReadModel = ReadModel & {
  atHand(): Generation
  /** The generation that serves at this moment, for an answer that takes several reads: a switch in between does not mix two. */
  readsOfOne(): GenerationReads
  /** Calls back after each switch, until the answer is called. */
  onSwitch(listener: () => void): () => void
  /**
   * Readers get this error until the answer is called, or another generation serves. For a read model that went back: what it lacks
   * had been shown, and acted on.
   */
  holdReads(why: Error): () => void
  /** To be called when a commit was answered 'sealed', or the log does not hold what was projected: another generation may serve. */
  lookForNext(why: 'sealed' | 'older-log'): void
}

export type Slot = {
  readonly serving: ServingReadModel
  /** The generation that served until then. */
  switchTo(next: Generation): Generation
}

export type SlotOptions = {
  readonly lookForNext: ServingReadModel['lookForNext']
  /** While nothing is applied nothing is waited for. */
  readonly standsStill?: () => boolean
  /** An error while what serves must not be taken for what there is. */
  readonly whyNotReadable?: () => Error | undefined
  /** A read has found that data is gone. */
  readonly onLost?: (error: Error, readModel: ReadModel) => void
}

/** A projection's place among the read models: what serves, and those who want to know when that changes. */
export const createSlot = (first: Generation, options: SlotOptions): Slot => {
  const { lookForNext, standsStill, whyNotReadable, onLost } = options
  let held: Error | undefined
  const readsOf = ({ readModel, epoch }: Generation): GenerationReads => {
    const read = async <T>(work: () => Promise<T>): Promise<T> => {
      const error = held ?? whyNotReadable?.()
      if (error !== undefined) throw error
      try {
        return await work()
      } catch (failure) {
        if (isLost(failure)) onLost?.(failure, readModel)
        throw failure
      }
    }
    return {
      get epoch() {
        return epoch ?? readModel.epoch
      },
      get: (ref) => read(() => readModel.get(ref)),
      getMany: (refs) => read(() => readModel.getMany(refs)),
      entry: (partition, list, member) => read(() => readModel.entry(partition, list, member)),
      range: (partition, list, range) => read(() => readModel.range(partition, list, range)),
      entries: (partition, lists) => read(() => readModel.entries(partition, lists)),
    }
  }
  let current = first
  let reads = readsOf(first)
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
      const leftMs = standsStill?.() ? 0 : Math.max(0, endsAtMs - performance.now())
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
    get epoch() {
      return reads.epoch
    },
    lineage: () => `${current.name} ${current.readModel.lineage()}`,
    commit: (commit) => current.readModel.commit(commit),
    commitAll: (commits) => current.readModel.commitAll(commits),
    position: (projection, partition) => current.readModel.position(projection, partition),
    whenApplied,
    putImmutable: (ref, value) => current.readModel.putImmutable(ref, value),
    get: (ref) => reads.get(ref),
    getMany: (refs) => reads.getMany(refs),
    entry: (partition, list, member) => reads.entry(partition, list, member),
    range: (partition, list, range) => reads.range(partition, list, range),
    entries: (partition, lists) => reads.entries(partition, lists),
    loadCursors: (consumer, as) => current.readModel.loadCursors(consumer, as),
    saveCursor: (consumer, busPartition, cursor) => current.readModel.saveCursor(consumer, busPartition, cursor),
    partitions: () => current.readModel.partitions(),
    positions: (projection) => current.readModel.positions(projection),
    positionIds: (projection) => current.readModel.positionIds(projection),
    digest: (projection, partition) => current.readModel.digest(projection, partition),
    seal: () => current.readModel.seal(),
    unseal: () => current.readModel.unseal(),
    acceptOlder: () => current.readModel.acceptOlder(),
    check: async () => {
      if (held !== undefined) throw held
      await current.readModel.check()
    },
    // Whoever opened the generations closes them.
    close: async () => {},
    atHand: () => current,
    readsOfOne: () => reads,
    onSwitch,
    holdReads: (why) => {
      held = why
      return () => {
        if (held === why) held = undefined
      }
    },
    lookForNext,
  }

  return {
    serving,
    switchTo(next) {
      const before = current
      current = next
      held = undefined
      reads = readsOf(next)
      for (const listener of listeners) listener()
      return before
    },
  }
}
