import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { boundedCache } from '../cache/bounded-cache.ts'
import type { Logger } from 'pino'
import { unreadableMessage } from '../bus/unreadable-event.ts'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import { commitUnlessFenced } from '../read-model/compare-and-set.ts'
import type { Commit, CommitOutcome } from '../read-model/port.ts'
import { applyWithRetry, computeWrites, trackReads } from './apply-with-retry.ts'
import {
  addDeadLetter,
  type DeadLetterHead,
  loadDeadLetterHead,
  reasonOf,
  registerDeadLetters,
} from './dead-letters.ts'
import type { Projection, ProjectionData } from './projection.ts'

const cachedPartitions = 10_000
/** Each conflict means that another worker has made progress. So many in a row mean a bug. */
export const attemptsOnConflict = 20

/** 'known': the message was applied before. */
export type ApplyOutcome = 'applied' | 'known' | 'deadLettered'

type PartitionState = { readonly position: string | undefined; readonly deadLetters: DeadLetterHead }

export type PartitionApplier = {
  /** Applies the message, or turns it into a dead letter. */
  apply(partition: string, envelope: Envelope): Promise<ApplyOutcome>
  /**
   * Returns the commit that would apply the message, for a caller that commits several together. Returns 'known' if the message was applied
   * before, and undefined if it needs `apply`. Handle no other message of the partition before `settle`.
   */
  prepare(partition: string, envelope: Envelope): Promise<Commit | 'known' | undefined>
  /** Reports the outcome of a prepared commit. After any but 'committed', pass the message to `apply`. */
  settle(commit: Commit, outcome: CommitOutcome | 'unknown'): void
}

type Options = { readonly projection: Projection; readonly readModel: ProjectionData; readonly logger: Logger }

/**
 * Applies each message exactly once, and those of one partition one at a time. If another worker has changed the partition, the cached
 * state is outdated and the commit conflicts. Then the state is read again and the message retried.
 */
export const createPartitionApplier = ({ projection, readModel, logger }: Options): PartitionApplier => {
  const { name } = projection
  const reads = trackReads(readModel)
  const states = boundedCache<string, PartitionState>(cachedPartitions)

  const stateOf = async (partition: string): Promise<PartitionState> => {
    const cached = states.get(partition)
    if (cached !== undefined) return cached
    // Position first: if another worker commits between the two reads, the older position causes a conflict.
    const position = await readModel.position(name, partition)
    const deadLetters = await loadDeadLetterHead(readModel, name, partition)
    const state = { position, deadLetters }
    states.set(partition, state)
    return state
  }

  const deadLetter = async (
    partition: string,
    state: PartitionState,
    envelope: Envelope,
    reason: string,
  ): Promise<'deadLettered' | 'conflict'> => {
    const { id, type, key, position } = envelope
    const { head, writes } = addDeadLetter(name, state.deadLetters, envelope, reason)
    await registerDeadLetters(readModel, name, partition)
    const commit = { projection: name, partition, expected: state.position, position, messageId: id, writes }
    const outcome = await commitUnlessFenced(readModel, commit)
    if (outcome === 'conflict') return 'conflict'
    states.set(partition, { position, deadLetters: head })
    logger.error({ projection: name, partition, id, type, key, position, reason }, 'message dead-lettered')
    return 'deadLettered'
  }

  const applyOrDeadLetter = async (
    partition: string,
    state: PartitionState,
    envelope: Envelope,
  ): Promise<Exclude<ApplyOutcome, 'known'> | 'conflict'> => {
    if (state.deadLetters.keys.has(envelope.key)) {
      // Recorded, and compared by replays: the text must stay the same.
      return deadLetter(partition, state, envelope, 'Behind a parked message of its key')
    }
    const { position, id: messageId } = envelope
    const expected = state.position
    const outcome = await applyWithRetry({
      projection,
      readModel,
      reads,
      partition,
      envelope,
      expected,
      position,
      messageId,
    })
    if (outcome.kind === 'poison') {
      // Do not dead-letter it: a release that knows the type will apply it without an operator.
      if (outcome.error instanceof UnknownEventTypeError) throw unreadableMessage(envelope, outcome.error)
      return deadLetter(partition, state, envelope, reasonOf(outcome.error))
    }
    if (outcome.kind === 'conflict') return 'conflict'
    states.set(partition, { position, deadLetters: state.deadLetters })
    return 'applied'
  }

  const isKnown = ({ position }: PartitionState, envelope: Envelope): boolean =>
    position !== undefined && envelope.position <= position

  return {
    async apply(partition, envelope) {
      for (let tries = 0; tries < attemptsOnConflict; tries++) {
        const state = await stateOf(partition)
        if (isKnown(state, envelope)) return 'known'
        const outcome = await applyOrDeadLetter(partition, state, envelope)
        if (outcome !== 'conflict') return outcome
        states.delete(partition)
      }
      throw new Error(`${name} in '${partition}': ${attemptsOnConflict} conflicts in a row`)
    },
    async prepare(partition, envelope) {
      const state = await stateOf(partition)
      if (isKnown(state, envelope)) return 'known'
      if (state.deadLetters.keys.has(envelope.key)) return undefined
      const computed = await computeWrites(projection, reads, envelope)
      if (computed.kind === 'poison') return undefined
      const { position, id: messageId } = envelope
      return { projection: name, partition, expected: state.position, position, messageId, writes: computed.writes }
    },
    settle({ partition, position }, outcome) {
      const state = states.get(partition)
      if (outcome === 'committed' && state !== undefined)
        states.set(partition, { position, deadLetters: state.deadLetters })
      else states.delete(partition)
    },
  }
}
