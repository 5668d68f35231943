import { performance } from 'node:perf_hooks'
import { isDataLoss } from '../read-model/errors.ts'
import type { Checkpoints, Maintenance, ProjectionWriter, ReadModel, ReadStore } from '../read-model/port.ts'

/** One complete build of a projection's data, in a namespace of its own. */
export type Generation = {
  readonly name: string
  readonly readModel: ReadModel
  /** The epoch that readers get, if not the namespace's own: that of the previous generation, which was proved equal. */
  readonly epoch?: string
}

/**
 * The read model of a projection: each call goes to the generation that is active at that moment. A caller that computes writes from
 * what it reads uses `current()` for the whole step.
 */
export type ActiveGeneration = ReadStore &
  ProjectionWriter &
  Checkpoints &
  Pick<Maintenance, 'check'> & {
    current(): Generation
    /** Reads of the generation that is active now, for an answer that takes several reads. A switch does not change them. */
    pinned(): ReadStore
    /** Calls back after each switch, until the returned function is called. */
    onSwitch(listener: () => void): () => void
    /**
     * Rejects reads with this error until the returned function is called or another generation is active. For a read model that went
     * back: readers have already seen what it lacks.
     */
    rejectReads(why: Error): () => void
    /**
     * Call it when a commit was fenced, or the log does not hold what was projected: another generation may be active. Once it resolves,
     * the one that was active at the call is active here, too. Rejects when that cannot be found out.
     */
    refresh(why: 'fenced' | 'older-log'): Promise<void>
  }

export type Slot = {
  readonly active: ActiveGeneration
  /** Returns the generation that was active until then. */
  switchTo(next: Generation): Generation
}

export type SlotOptions = {
  readonly refresh: ActiveGeneration['refresh']
  /** While the projection stands still `whenApplied` does not wait. */
  readonly isHalted?: (() => boolean) | undefined
  /** The error to reject reads with, while the active generation is known to be incomplete. */
  readonly readError?: (() => Error | undefined) | undefined
  /** A read has found that data is gone. */
  readonly onLost?: ((error: Error, readModel: ReadModel) => void) | undefined
}

type Reading = {
  readonly readError: () => Error | undefined
  readonly onLost: SlotOptions['onLost']
}

const readsOf = ({ readModel, epoch }: Generation, { readError, onLost }: Reading): ReadStore => {
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

const writesTo = (current: () => ProjectionWriter): ProjectionWriter => ({
  commit: (commit) => current().commit(commit),
  commitAll: (commits) => current().commitAll(commits),
  putImmutable: (ref, value) => current().putImmutable(ref, value),
})

type Waiting = Pick<ActiveGeneration, 'onSwitch'> & { readonly isHalted: SlotOptions['isHalted'] }

const checkpointsOf = (current: () => Checkpoints, { onSwitch, isHalted }: Waiting): Checkpoints => ({
  position: (projection, partition) => current().position(projection, partition),
  positions: (projection) => current().positions(projection),
  positionIds: (projection) => current().positionIds(projection),
  loadCursors: (consumer, as) => current().loadCursors(consumer, as),
  saveCursor: (consumer, busPartition, cursor) => current().saveCursor(consumer, busPartition, cursor),
  /** A caller that waits during a switch goes on waiting for the next generation. */
  async whenApplied(projection, partition, position, timeoutMs) {
    const endsAtMs = performance.now() + timeoutMs
    for (;;) {
      const { promise: switched, resolve } = Promise.withResolvers<'switched'>()
      const forget = onSwitch(() => resolve('switched'))
      const leftMs = isHalted?.() ? 0 : Math.max(0, endsAtMs - performance.now())
      const applied = current().whenApplied(projection, partition, position, leftMs)
      try {
        const outcome = await Promise.race([applied, switched])
        if (outcome !== 'switched') return outcome
        // The previous generation may be closed by now.
        applied.catch(() => undefined)
      } finally {
        forget()
      }
    }
  },
})

/** Holds the active generation of a projection, and tells listeners when another one takes its place. */
export const createSlot = (first: Generation, { refresh, isHalted, readError, onLost }: SlotOptions): Slot => {
  const listeners = new Set<() => void>()
  let held: Error | undefined
  const reading: Reading = { onLost, readError: () => held ?? readError?.() }
  let current = first
  let reads = readsOf(first, reading)
  const onSwitch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const readModel = () => current.readModel

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
    ...writesTo(readModel),
    ...checkpointsOf(readModel, { onSwitch, isHalted }),
    check: async () => {
      if (held !== undefined) throw held
      await current.readModel.check()
    },
    current: () => current,
    pinned: () => reads,
    onSwitch,
    rejectReads: (why) => {
      held = why
      return () => {
        if (held === why) held = undefined
      }
    },
    refresh,
  }

  return {
    active,
    switchTo(next) {
      const before = current
      current = next
      held = undefined
      reads = readsOf(next, reading)
      for (const listener of listeners) listener()
      return before
    },
  }
}

/** A read model that no replay touches. */
export const singleGeneration = (readModel: ReadModel): ActiveGeneration =>
  createSlot({ name: 'only', readModel }, { refresh: async () => undefined }).active
