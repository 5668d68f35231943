import { inboxProjection } from '@portal/notifications/inbox/projection'
import type { ProjectedLog } from '@portal/notifications/testing/projected-log'
import { loadDeliveryRecord } from '../../src/explain/delivery-record.ts'

type Recorded = Pick<ProjectedLog, 'events'> & Partial<Pick<ProjectedLog, 'readModel'>>

/** Loads the record of a delivery from a log, and from its inbox projection if there is one. */
export const loadFrom = (
  { events, readModel }: Recorded,
  whom: Pick<Parameters<typeof loadDeliveryRecord>[2], 'userId' | 'notificationId'>,
) => {
  const log = {
    read: async function* (stream: string) {
      yield* events.filter((event) => event.stream === stream)
    },
    subscribe: async function* () {
      yield { kind: 'caught-up', position: 'start' } as const
    },
  }
  const readModels = {
    of: async ({ name }: { readonly name: string }) =>
      readModel && name === inboxProjection.name ? { generation: 'inbox', readModel } : undefined,
  }
  return loadDeliveryRecord(log, readModels, whom, { now: '2026-01-02T00:00:00.000Z', graceMs: 4_000 })
}
