import type { Publisher } from '@portal/platform/bus/publisher'
import { createRelay, type Relay } from '@portal/platform/bus/relay'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { notificationsPublishers } from '../src/projections.ts'
import { createMemoryLog, type MemoryLog } from './memory-log.ts'

const applyAll = async (
  relay: Relay,
  recorded: RecordedEvent,
  projection: Projection,
  readModel: ReadModel,
): Promise<void> => {
  for (const envelope of relay.translate(recorded)) {
    if (!projection.topics.includes(envelope.topic)) continue
    const partition = projection.partitionOf(envelope)
    if (partition === undefined) continue
    const expected = await readModel.position(projection.name, partition)
    const writes = await projection.apply(envelope, readModel)
    const { position } = envelope
    await readModel.commit({ projection: projection.name, partition, expected, position, writes })
  }
}

/** Applies a log to a projection under the test's control, without a bus. */
export const createProjectedLog = (
  projection: Projection,
  log: MemoryLog = createMemoryLog(),
  publishers: readonly Publisher[] = notificationsPublishers,
) => {
  const relay = createRelay(publishers)
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'test' })
  let projected = 0
  let projecting = Promise.resolve()

  const projectNext = async (count: number): Promise<void> => {
    for (const event of log.events.slice(projected, projected + count)) {
      await applyAll(relay, event, projection, readModel)
      projected += 1
    }
  }

  return {
    readModel,
    events: log.events,
    append: log.append,
    /** The number of applied events. */
    get projected() {
      return projected
    },
    /** Applies this many of the waiting events. Concurrent calls apply each event once. */
    project: (count = Number.POSITIVE_INFINITY): Promise<void> => {
      projecting = projecting.then(() => projectNext(count))
      return projecting
    },
    /** Projects the same log into an empty read model. */
    rebuilt: async (): Promise<ReadModel> => {
      const fresh = openSqliteReadModel({ path: ':memory:', namespace: 'rebuilt' })
      for (const event of log.events.slice(0, projected)) await applyAll(relay, event, projection, fresh)
      return fresh
    },
    close: () => readModel.close(),
  }
}
export type ProjectedLog = ReturnType<typeof createProjectedLog>
