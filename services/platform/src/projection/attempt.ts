import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { setTimeout as delay } from 'node:timers/promises'
import { InvalidCommit } from '../read-model/invalid-commit.ts'
import type { ReadModel, Write } from '../read-model/port.ts'
import type { Projection } from './projection.ts'
import type { WatchedReads } from './watch-reads.ts'

/** Pauses between attempts: short, for what another partition is about to write. */
const pausesMs = [5, 50] as const

export type AttemptOptions = {
  readonly projection: Projection
  readonly readModel: ReadModel
  readonly reads: WatchedReads
  readonly partition: string
  readonly envelope: Envelope
  /** The projection's position in the partition, and the one it gets with the message's writes. */
  readonly expected: string | undefined
  readonly position: string
  /** Committed along with the projection's own writes. */
  readonly alongside?: readonly Write[]
}

export type Attempted =
  | { readonly kind: 'committed' | 'conflict' }
  /** The message itself is at fault. */
  | { readonly kind: 'poison'; readonly error: unknown }

const attemptOnce = async (options: AttemptOptions): Promise<Attempted> => {
  const { projection, readModel, reads, partition, envelope, expected, position, alongside = [] } = options
  let writes: readonly Write[]
  try {
    reads.takeFailure()
    writes = await projection.apply(envelope, reads.view)
  } catch (error) {
    const failure = reads.takeFailure()
    if (failure !== undefined) throw failure.error
    return { kind: 'poison', error }
  }
  try {
    const all = alongside.length === 0 ? writes : [...writes, ...alongside]
    return { kind: await readModel.commit({ projection: projection.name, partition, expected, position, writes: all }) }
  } catch (error) {
    if (error instanceof InvalidCommit) return { kind: 'poison', error }
    throw error
  }
}

/** Applies one message. A few attempts make it poison; a failing read model rejects, which is nobody's poison. */
export const attempt = async (options: AttemptOptions): Promise<Attempted> => {
  let outcome = await attemptOnce(options)
  for (const pauseMs of pausesMs) {
    if (outcome.kind !== 'poison') return outcome
    await delay(pauseMs)
    outcome = await attemptOnce(options)
  }
  return outcome
}
