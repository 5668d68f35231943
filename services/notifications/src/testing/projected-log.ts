import { createRelay } from '@portal/platform/bus/relay'
import type { DomainEvent } from '@portal/platform/decider/decider'
import type { Position, Recorded } from '@portal/platform/event-store/port'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { notificationsPublishers } from '../projections.ts'

const relay = createRelay(notificationsPublishers)

/** One second after the other, so that times tell events apart and are always the same. */
const timeOf = (row: number): string => new Date(Date.UTC(2026, 0, 1) + row * 1_000).toISOString()

const applyAll = async (recorded: Recorded, projection: Projection, readModel: ReadModel): Promise<void> => {
  for (const envelope of relay.translate(recorded)) {
    const partition = projection.partitionOf(envelope)
    if (partition === undefined) continue
    const expected = await readModel.position(projection.name, partition)
    const writes = await projection.apply(envelope, readModel)
    const { position } = envelope
    await readModel.commit({ projection: projection.name, partition, expected, position, writes })
  }
}

/**
 * A log in memory and what a projection makes of it, in step or behind, as the test says. No bus and no waiting: for tests that try
 * thousands of orders.
 */
export const createProjectedLog = (projection: Projection) => {
  const events: Recorded[] = []
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'test' })
  let projected = 0

  return {
    readModel,
    events: events as readonly Recorded[],
    get projected() {
      return projected
    },
    append: (stream: string, ...added: readonly DomainEvent[]): void => {
      for (const { type, data } of added) {
        const row = events.length + 1
        events.push({
          kind: 'event',
          position: String(row).padStart(16, '0') as Position,
          stream,
          revision: row,
          id: `event-${row}`,
          type,
          data,
          metadata: {},
          at: timeOf(row),
        })
      }
    },
    /** Applies so many of the events that wait. */
    project: async (count = Number.POSITIVE_INFINITY): Promise<void> => {
      for (const event of events.slice(projected, projected + count)) {
        await applyAll(event, projection, readModel)
        projected += 1
      }
    },
    /** The same log, projected anew from its beginning. */
    rebuilt: async (): Promise<ReadModel> => {
      const fresh = openSqliteReadModel({ path: ':memory:', namespace: 'rebuilt' })
      for (const event of events.slice(0, projected)) await applyAll(event, projection, fresh)
      return fresh
    },
    close: () => readModel.close(),
  }
}
export type ProjectedLog = ReturnType<typeof createProjectedLog>
