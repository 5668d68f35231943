import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { InvalidCommit, ReadLimitExceeded, ReadModelFencedError } from '../read-model/errors.ts'
import type { Commit, ProjectionWriter, Write } from '../read-model/port.ts'
import type { Projection, ProjectionData, ReadModelView } from './projection.ts'

type TrackedReads = {
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

/** Pauses between attempts: short, for what another partition is about to write. */
const pausesMs = [5, 50] as const

type ApplyOptions = {
  readonly projection: Projection
  readonly readModel: ProjectionData
  readonly reads: TrackedReads
  readonly partition: string
  readonly envelope: Envelope
  /** The projection's position in the partition, and the one it gets with the message's writes. */
  readonly expected: string | undefined
  readonly position: string
  /** Of the message at `position`; none where a parked message is retried, which moves the position past no message. */
  readonly messageId?: string
  /** Committed along with the projection's own writes. */
  readonly alongside?: readonly Write[]
}

type ApplyResult =
  | { readonly kind: 'committed' | 'conflict' }
  /** The message itself is at fault. */
  | { readonly kind: 'poison'; readonly error: unknown }

type Computed =
  { readonly kind: 'writes'; readonly writes: readonly Write[] } | Extract<ApplyResult, { readonly kind: 'poison' }>

/** What the projection wants written for a message. Rejects when it was the read model that failed. */
export const computeWrites = async (
  projection: Projection,
  reads: TrackedReads,
  envelope: Envelope,
): Promise<Computed> => {
  try {
    reads.takeFailure()
    return { kind: 'writes', writes: await projection.apply(envelope, reads.view) }
  } catch (error) {
    const failure = reads.takeFailure()
    if (failure !== undefined) throw failure.error
    return { kind: 'poison', error }
  }
}

/** A sealed read model fails like one that is down: the message comes again. */
export const commitUnlessFenced = async (
  readModel: ProjectionWriter,
  commit: Commit,
): Promise<'committed' | 'conflict'> => {
  const outcome = await readModel.commit(commit)
  if (outcome === 'fenced') throw new ReadModelFencedError()
  return outcome
}

const applyOnce = async (options: ApplyOptions): Promise<ApplyResult> => {
  const { projection, readModel, reads, partition, envelope, expected, position, messageId, alongside = [] } = options
  const computed = await computeWrites(projection, reads, envelope)
  if (computed.kind === 'poison') return computed
  try {
    const writes = alongside.length === 0 ? computed.writes : [...computed.writes, ...alongside]
    const commit = { projection: projection.name, partition, expected, position, messageId, writes }
    return { kind: await commitUnlessFenced(readModel, commit) }
  } catch (error) {
    if (error instanceof InvalidCommit) return { kind: 'poison', error }
    throw error
  }
}

/** Applies one message. A few attempts make it poison; a failing read model rejects, which is nobody's poison. */
export const applyWithRetry = async (options: ApplyOptions): Promise<ApplyResult> => {
  let outcome = await applyOnce(options)
  for (const pauseMs of pausesMs) {
    if (outcome.kind !== 'poison') return outcome
    await delay(pauseMs)
    outcome = await applyOnce(options)
  }
  return outcome
}
