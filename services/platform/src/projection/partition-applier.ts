import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { unreadableMessage } from '../bus/unreadable-event.ts'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import type { Commit, CommitOutcome } from '../read-model/port.ts'
import { applyWithRetry, commitUnlessFenced, computeWrites, trackReads } from './apply-with-retry.ts'
import {
  addDeadLetter,
  type DeadLetterHead,
  loadDeadLetterHead,
  reasonOf,
  registerDeadLetters,
} from './dead-letters.ts'
import type { Projection, ProjectionData } from './projection.ts'

const cachedPartitions = 10_000
/** Each conflict means that somebody else got on; so many in a row mean that something is wrong. */
export const attemptsOnConflict = 20

/** 'known': it, or what follows it, has been applied before. */
export type ApplyOutcome = 'applied' | 'known' | 'parked'

type PartitionState = { readonly position: string | undefined; readonly deadLetters: DeadLetterHead }

export type PartitionApplier = {
  /** Applies the message, or parks it. */
  apply(partition: string, envelope: Envelope): Promise<ApplyOutcome>
  /**
   * The commit that would apply the message, for whoever commits several together; 'known' when there is nothing to do, and
   * undefined when the message needs `apply`'s care. Nothing of its partition may come between this and `settle`.
   */
  prepare(partition: string, envelope: Envelope): Promise<Commit | 'known' | undefined>
  /** What became of a prepared commit; after a conflict, or 'unknown', the message is for `apply`. */
  settle(commit: Commit, outcome: CommitOutcome | 'unknown'): void
}

type Options = { readonly projection: Projection; readonly readModel: ProjectionData; readonly logger: Logger }

/**
 * Applies messages, each exactly once, those of one partition one at a time. What is cached of a partition may be out of date, when another
 * worker has it too: then the commit is a conflict, the state is read again, and the message judged anew.
 */
export const createPartitionApplier = ({ projection, readModel, logger }: Options): PartitionApplier => {
  const { name } = projection
  const reads = trackReads(readModel)
  const states = new LRUCache<string, PartitionState>({ max: cachedPartitions })

  const stateOf = async (partition: string): Promise<PartitionState> => {
    const cached = states.get(partition)
    if (cached !== undefined) return cached
    // In this order: if somebody gets on between the two reads, the older position makes the commit a conflict.
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
  ): Promise<'parked' | 'conflict'> => {
    const { id, type, key, position } = envelope
    const { head, writes } = addDeadLetter(name, state.deadLetters, envelope, reason)
    await registerDeadLetters(readModel, name, partition)
    const commit = { projection: name, partition, expected: state.position, position, messageId: id, writes }
    const outcome = await commitUnlessFenced(readModel, commit)
    if (outcome === 'conflict') return 'conflict'
    states.set(partition, { position, deadLetters: head })
    logger.error({ projection: name, partition, id, type, key, position, reason }, 'Message parked')
    return 'parked'
  }

  const applyOrDeadLetter = async (
    partition: string,
    state: PartitionState,
    envelope: Envelope,
  ): Promise<Exclude<ApplyOutcome, 'known'> | 'conflict'> => {
    if (state.deadLetters.keys.has(envelope.key)) {
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
      // The release that knows it will apply it. As a dead letter, it would wait for an operator.
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
