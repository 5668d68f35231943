import { performance } from 'node:perf_hooks'
import { isDataLoss } from '../read-model/errors.ts'
import type { Checkpoints, Maintenance, ProjectionWriter, ReadModel, ReadStore } from '../read-model/port.ts'

/** One complete build of a projection's data, in a namespace of its own. */
export type Generation = {
  readonly name: string
  readonly readModel: ReadModel
  /** The epoch that readers get instead of the namespace's own: that of the previous generation, if both are equal. */
  readonly epoch?: string
}

/**
 * The read model of a projection. Each call goes to the generation that is active at that moment. A caller that computes writes from
 * reads uses one `current()` for both.
 */
export type ActiveGeneration = ReadStore &
  ProjectionWriter &
  Checkpoints &
  Pick<Maintenance, 'check'> & {
    current(): Generation
    /** Reads from the generation that is active now, for several reads that belong together. A switch does not affect them. */
    pinned(): ReadStore
    /** Calls back after each switch. Returns a function that unsubscribes. */
    onSwitch(listener: () => void): () => void
    /**
     * Rejects reads with this error until the returned function is called or another generation is active. For a read model that went
     * back to older data: readers have already seen the newer data.
     */
    rejectReads(reason: Error): () => void
    /**
     * Loads which generation is active. Call it after a fenced commit, and before a subscription: another process may have
     * switched. Rejects if the generations cannot be read.
     */
    refresh(reason: 'fenced' | 'subscribing'): Promise<void>
  }

export type Slot = {
  readonly active: ActiveGeneration
  /** Returns the generation that was active until then. */
  switchTo(next: Generation): Generation
}

export type SlotOptions = {
  readonly refresh: ActiveGeneration['refresh']
  /** `whenApplied` does not wait for a halted projection. */
  readonly isHalted?: (() => boolean) | undefined
  /** The error to reject reads with, while the active generation is known to be incomplete. */
  readonly readError?: (() => Error | undefined) | undefined
  /** A read has found lost data. */
  readonly onLost?: ((error: Error, readModel: ReadModel) => void) | undefined
}

const readsOf = (
  { readModel, epoch }: Generation,
  readError: () => Error | undefined,
  onLost: SlotOptions['onLost'],
): ReadStore => {
  const read = async <T>(work: () => Promise<T>): Promise<T> => {
    const error = readError()
    if (error !== undefined) throw error
    try {
      return await work()
    } catch (failure) {
      if (isDataLoss(failure)) onLost?.(failure, readModel)
      throw failure
    }
  }
  return {
    get epoch() {
      return epoch ?? readModel.epoch
    },
    lineage: () => readModel.lineage(),
    get: (ref) => read(() => readModel.get(ref)),
    getMany: (refs) => read(() => readModel.getMany(refs)),
    entry: (partition, list, member) => read(() => readModel.entry(partition, list, member)),
    entries: (partition, lists) => read(() => readModel.entries(partition, lists)),
    range: (partition, list, range) => read(() => readModel.range(partition, list, range)),
  }
}

const checkpointsOf = (
  current: () => Checkpoints,
  onSwitch: ActiveGeneration['onSwitch'],
  isHalted: SlotOptions['isHalted'],
): Checkpoints => ({
  position: (projection, partition) => current().position(projection, partition),
  positions: (projection) => current().positions(projection),
  positionIds: (projection) => current().positionIds(projection),
  loadCursors: (consumer, as) => current().loadCursors(consumer, as),
  saveCursor: (consumer, busPartition, cursor) => current().saveCursor(consumer, busPartition, cursor),
  /** A call that waits during a switch continues to wait in the next generation. */
  async whenApplied(projection, partition, position, timeoutMs) {
    const endsAtMs = performance.now() + timeoutMs
    for (;;) {
      const { promise: switched, resolve } = Promise.withResolvers<'switched'>()
      const unsubscribe = onSwitch(() => resolve('switched'))
      const leftMs = isHalted?.() ? 0 : Math.max(0, endsAtMs - performance.now())
      const applied = current().whenApplied(projection, partition, position, leftMs)
      try {
        const outcome = await Promise.race([applied, switched])
        if (outcome !== 'switched') return outcome
        // The previous generation may be closed by now.
        applied.catch(() => undefined)
      } finally {
        unsubscribe()
      }
    }
  },
})

/** Holds the active generation of a projection, and calls listeners after a switch. */
export const createSlot = (first: Generation, { refresh, isHalted, readError, onLost }: SlotOptions): Slot => {
  const listeners = new Set<() => void>()
  let rejection: Error | undefined
  let current = first
  const open = (generation: Generation) => readsOf(generation, () => rejection ?? readError?.(), onLost)
  let reads = open(first)
  const onSwitch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  const active: ActiveGeneration = {
    get epoch() {
      return reads.epoch
    },
    lineage: () => `${current.name} ${current.readModel.lineage()}`,
    get: (ref) => reads.get(ref),
    getMany: (refs) => reads.getMany(refs),
    entry: (partition, list, member) => reads.entry(partition, list, member),
    entries: (partition, lists) => reads.entries(partition, lists),
    range: (partition, list, range) => reads.range(partition, list, range),
    commit: (commit) => current.readModel.commit(commit),
    commitAll: (commits) => current.readModel.commitAll(commits),
    putImmutable: (ref, value) => current.readModel.putImmutable(ref, value),
    ...checkpointsOf(() => current.readModel, onSwitch, isHalted),
    check: async () => {
      if (rejection !== undefined) throw rejection
      await current.readModel.check()
    },
    current: () => current,
    pinned: () => reads,
    onSwitch,
    rejectReads: (reason) => {
      rejection = reason
      return () => {
        if (rejection === reason) rejection = undefined
      }
    },
    refresh,
  }

  return {
    active,
    switchTo(next) {
      const before = current
      current = next
      rejection = undefined
      reads = open(next)
      for (const listener of listeners) listener()
      return before
    },
  }
}

/** For a read model that no replay replaces. */
export const singleGeneration = (readModel: ReadModel): ActiveGeneration =>
  createSlot({ name: 'only', readModel }, { refresh: async () => undefined }).active
