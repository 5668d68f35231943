import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { sleep } from '../async/timers.ts'
import { commitUnlessFenced } from '../read-model/compare-and-set.ts'
import { InvalidCommit, ReadLimitExceeded, ReadModelFencedError } from '../read-model/errors.ts'
import type { Write } from '../read-model/port.ts'
import type { Projection, ProjectionData, ReadModelView } from './projection.ts'

type TrackedReads = {
  readonly view: ReadModelView
  /** Returns a failure of the read model since the last call, even if the projection caught it. */
  takeFailure(): { readonly error: unknown } | undefined
}

/**
 * The view that a projection reads through. It tells a failing read model from a message that cannot be applied. Only such a message
 * becomes a dead letter.
 */
export const trackReads = (readModel: ReadModelView): TrackedReads => {
  let failure: { readonly error: unknown } | undefined

  const track = async <T>(read: Promise<T>): Promise<T> => {
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
      get: (ref) => track(readModel.get(ref)),
      getMany: (refs) => track(readModel.getMany(refs)),
      entry: (partition, list, member) => track(readModel.entry(partition, list, member)),
      entries: (partition, lists) => track(readModel.entries(partition, lists)),
      range: (partition, list, range) => track(readModel.range(partition, list, range)),
      putImmutable: (ref, value) => track(readModel.putImmutable(ref, value)),
    },
    takeFailure() {
      const taken = failure
      failure = undefined
      return taken
    },
  }
}

/** Pauses between attempts. They are short, because a missing write of another partition comes soon. */
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
  /** The id of the message at `position`. Undefined for a retried dead letter, which passes no message. */
  readonly messageId?: string
  /** Committed together with the projection's writes. */
  readonly alongside?: readonly Write[]
}

type ApplyResult =
  | { readonly kind: 'committed' | 'conflict' }
  /** The message cannot be applied. */
  | { readonly kind: 'poison'; readonly error: unknown }

type Computed =
  { readonly kind: 'writes'; readonly writes: readonly Write[] } | Extract<ApplyResult, { readonly kind: 'poison' }>

/** The writes of the projection for a message. Rejects if the read model failed. */
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

const fencedPauseMs = 50
const maxFencedPauses = 200

/** Repeats the work while its read model is fenced, for ten seconds. A fence is soon lifted or followed by a switch. */
export const retryWhileFenced = async <T>(
  work: () => Promise<T>,
  { signal, onFenced }: { readonly signal?: AbortSignal; onFenced?(): void } = {},
): Promise<T> => {
  for (let pauses = 0; ; pauses++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ReadModelFencedError) || pauses >= maxFencedPauses || signal?.aborted) throw error
      onFenced?.()
      await sleep(fencedPauseMs, signal && { signal })
    }
  }
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

/** Applies one message, in at most three attempts. Rejects if the read model fails, which says nothing about the message. */
export const applyWithRetry = async (options: ApplyOptions): Promise<ApplyResult> => {
  let outcome = await applyOnce(options)
  for (const pauseMs of pausesMs) {
    if (outcome.kind !== 'poison') return outcome
    await sleep(pauseMs)
    outcome = await applyOnce(options)
  }
  return outcome
}
