import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Bus, Delivery } from '../bus/port.ts'
import { breathe } from '../bus/time-slice.ts'
import type { ReadModel } from '../read-model/port.ts'
import { attempt } from './attempt.ts'
import { keepCursors } from './keep-cursors.ts'
import { loadParkingHead, park, type ParkingHead, reasonOf } from './parking.ts'
import { registerParking } from './parking-register.ts'
import type { Projection } from './projection.ts'
import { watchReads } from './watch-reads.ts'

const partitionsRemembered = 10_000
/** Each conflict means that somebody else got on; so many in a row mean that something is wrong. */
const attemptsOnConflict = 20

export type ProjectionOptions = {
  readonly projection: Projection
  readonly bus: Bus
  readonly readModel: ReadModel
  readonly logger: Logger
  /** The bus group, if it must not share the work with another runner of the projection: a rebuild's. */
  readonly group?: string
  /** After a message's writes have been committed. */
  onApplied?(partition: string, envelope: Envelope): void
}

export type RunningProjection = {
  /** Resolves once it has seen all that was there when it looked; rejects when stopped before. */
  readonly caughtUp: Promise<void>
  counts(): { readonly applied: number; readonly known: number; readonly parked: number }
  /** After the batch under way. */
  stop(): Promise<void>
}

type PartitionState = { readonly position: string | undefined; readonly parking: ParkingHead }

/** The name under which a projection's cursors are kept, and under which it consumes. */
export const projectionGroup = (projection: string): string => `projection:${projection}`

/** Keeps one projection up to date, message by message, for as long as it runs. */
export const runProjection = async (options: ProjectionOptions): Promise<RunningProjection> => {
  const { projection, bus, readModel, logger, onApplied } = options
  const { name } = projection
  const consumer = projectionGroup(name)
  const reads = watchReads(readModel)
  const cursors = keepCursors(readModel, consumer, logger)
  const states = new LRUCache<string, PartitionState>({ max: partitionsRemembered })
  const counts = { applied: 0, known: 0, parked: 0 }

  const stateOf = async (partition: string): Promise<PartitionState> => {
    const remembered = states.get(partition)
    if (remembered !== undefined) return remembered
    // In this order: if somebody gets on between the two reads, the older position makes the commit a conflict.
    const position = await readModel.position(name, partition)
    const parking = await loadParkingHead(readModel, name, partition)
    const state = { position, parking }
    states.set(partition, state)
    return state
  }

  const parkMessage = async (partition: string, state: PartitionState, envelope: Envelope, reason: string) => {
    const { head, writes } = park(name, state.parking, envelope, reason)
    await registerParking(readModel, name, partition)
    const { position } = envelope
    const outcome = await readModel.commit({ projection: name, partition, expected: state.position, position, writes })
    if (outcome === 'conflict') return 'conflict'
    states.set(partition, { position, parking: head })
    counts.parked++
    const { id, type, key } = envelope
    logger.error({ projection: name, partition, id, type, key, position, reason }, 'Message parked')
    return 'parked'
  }

  const applyOrPark = async (partition: string, state: PartitionState, envelope: Envelope) => {
    if (state.parking.keys.has(envelope.key)) {
      return parkMessage(partition, state, envelope, 'Behind a parked message of its key')
    }
    const { position } = envelope
    const expected = state.position
    const outcome = await attempt({ projection, readModel, reads, partition, envelope, expected, position })
    if (outcome.kind === 'poison') return parkMessage(partition, state, envelope, reasonOf(outcome.error))
    if (outcome.kind === 'conflict') return 'conflict'
    states.set(partition, { position, parking: state.parking })
    counts.applied++
    onApplied?.(partition, envelope)
    return 'applied'
  }

  const handleInPartition = async (partition: string, envelope: Envelope): Promise<void> => {
    for (let tries = 0; tries < attemptsOnConflict; tries++) {
      const state = await stateOf(partition)
      if (state.position !== undefined && envelope.position <= state.position) {
        counts.known++
        return
      }
      if ((await applyOrPark(partition, state, envelope)) !== 'conflict') return
      states.delete(partition)
    }
    throw new Error(`${name} in '${partition}': ${attemptsOnConflict} conflicts in a row`)
  }

  /** A message whose partition cannot even be told is parked in the partition that is called like its key. */
  const handleMessage = async (envelope: Envelope): Promise<void> => {
    let partition: string | undefined
    try {
      partition = projection.partitionOf(envelope)
    } catch (error) {
      const state = await stateOf(envelope.key)
      if (state.position !== undefined && envelope.position <= state.position) return
      await parkMessage(envelope.key, state, envelope, reasonOf(error))
      return
    }
    if (partition !== undefined) await handleInPartition(partition, envelope)
  }

  const handle = async (deliveries: readonly Delivery[]) => {
    for (const { envelope, busPartition, cursor } of deliveries) {
      await handleMessage(envelope)
      cursors.reached(busPartition, cursor)
      await breathe()
    }
  }

  const caughtUp = Promise.withResolvers<void>()
  // Whoever does not wait for it must not be ended by it.
  caughtUp.promise.catch(() => undefined)
  const subscription = await bus.consume({
    group: options.group ?? consumer,
    topics: projection.topics,
    loadCursors: cursors.load,
    handle,
    onCaughtUp(reached) {
      for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
      caughtUp.resolve()
    },
  })

  return {
    caughtUp: caughtUp.promise,
    counts: () => ({ ...counts }),
    async stop() {
      await subscription.stop()
      await cursors.stop()
      caughtUp.reject(new Error(`${name} was stopped`))
    },
  }
}
