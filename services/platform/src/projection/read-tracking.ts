import { ReadLimitExceeded } from '../read-model/limits.ts'
import type { ReadModelView } from './projection.ts'

export type TrackedReads = {
  readonly view: ReadModelView
  /** What went wrong with the read model itself since the last call, whatever the projection made of it. */
  takeFailure(): { readonly error: unknown } | undefined
}

/**
 * The view a projection works with. It tells a read model that is down from a message that cannot be applied: only the
 * second may be parked.
 */
export const trackReads = (readModel: ReadModelView): TrackedReads => {
  let failure: { readonly error: unknown } | undefined

  const watched = async <T>(read: Promise<T>): Promise<T> => {
    try {
      return await read
    } catch (error) {
      if (!(error instanceof ReadLimitExceeded)) failure = { error }
      throw error
    }
  }

  return {
    view: {
      epoch: readModel.epoch,
      lineage: readModel.lineage,
      get: (ref) => watched(readModel.get(ref)),
      getMany: (refs) => watched(readModel.getMany(refs)),
      entry: (partition, list, member) => watched(readModel.entry(partition, list, member)),
      entries: (partition, lists) => watched(readModel.entries(partition, lists)),
      range: (partition, list, range) => watched(readModel.range(partition, list, range)),
      putImmutable: (ref, value) => watched(readModel.putImmutable(ref, value)),
    },
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
  }
}
