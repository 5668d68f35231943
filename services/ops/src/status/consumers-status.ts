import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { countDeadLetters } from '@portal/platform/projection/dead-letters'
import { withoutCleared } from '@portal/platform/projection/checkpoint-saver'
import type { Projection } from '@portal/platform/projection/projection'
import { projectionGroup } from '@portal/platform/generations/run-projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { projections, type Reactor, reactors } from '../settings/consumers.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'
import type { Lag, LagOf } from './lag.ts'

export type ConsumerStatus = {
  readonly consumer: string
  readonly kind: 'projection' | 'reactor'
  /** The active generation; absent if the projection was never built. */
  readonly generation?: string
  /** The position up to which everything was handled, per bus partition. */
  readonly cursors: Readonly<Record<string, string>>
  /** Number of partitions with data, for a projection. */
  readonly partitions?: number
  readonly position?: string
  readonly positions?: Readonly<Record<string, string>>
  readonly lag: Lag
  readonly parked?: number
  /** The last replay of the projection found that its data differs from the log. */
  readonly differsFromLog?: true
}

const statusOfProjection = async (
  projection: Projection,
  readModel: ReadModel,
  generation: string,
  lagOf: LagOf,
): Promise<ConsumerStatus> => {
  const { name, topics } = projection
  const [cursors, positions, parked] = await Promise.all([
    readModel.loadCursors(projectionGroup(projection)),
    readModel.positions(name),
    countDeadLetters(readModel, name),
  ])
  // Cursors are saved periodically; positions are exact.
  const isPending = (envelope: Envelope): boolean => {
    const partition = topics.includes(envelope.topic) ? projection.partitionOf(envelope) : undefined
    return partition !== undefined && envelope.position > (positions[partition] ?? '')
  }
  const position = Object.values(positions).toSorted().at(-1)
  return {
    consumer: name,
    kind: 'projection',
    generation,
    cursors,
    partitions: Object.keys(positions).length,
    ...(position !== undefined && { position }),
    positions,
    lag: await lagOf({ topics, cursors, isPending }),
    parked,
  }
}

const statusOfReactor = async (
  { name, topics }: Reactor,
  readModel: ReadModel | undefined,
  lagOf: LagOf,
): Promise<ConsumerStatus> => {
  const consumer = `consumer:${name}`
  const cursors = readModel === undefined ? {} : withoutCleared(await readModel.loadCursors(consumer))
  return { consumer: name, kind: 'reactor', cursors, lag: await lagOf({ topics, cursors }) }
}

/** All consumers with saved progress. Gateways have none, because they start with new messages. */
export const consumersStatus = async (
  readModels: ServingReadModels,
  lagOf: LagOf,
): Promise<readonly ConsumerStatus[]> => {
  const statusOf = async (projection: Projection): Promise<ConsumerStatus> => {
    const serving = await readModels.of(projection)
    if (serving) {
      const status = await statusOfProjection(projection, serving.readModel, serving.generation, lagOf)
      return readModels.differsFromLog(projection) ? { ...status, differsFromLog: true } : status
    }
    const isPending = (envelope: Envelope) => projection.partitionOf(envelope) !== undefined
    const lag = await lagOf({ topics: projection.topics, cursors: {}, isPending })
    return { consumer: projection.name, kind: 'projection', cursors: {}, lag }
  }
  // At the same time: they share the reads of the log's end, which are paced.
  return Promise.all([
    ...projections.map(statusOf),
    ...reactors.map((reactor) => statusOfReactor(reactor, readModels.control, lagOf)),
  ])
}
