import { join } from 'node:path'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { recordOutcomes } from '@portal/notifications/delivery/record-outcomes'
import { openEventStoreDb } from '@portal/platform/event-store/eventstoredb'
import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'

const recordAndClose = async (
  eventStore: EventStore,
  notificationId: NotificationId,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> => {
  try {
    await recordOutcomes(eventStore, notificationId, outcomes)
  } finally {
    await eventStore.close()
  }
}

/** Records delivery outcomes in the data folder of a stopped portal, as if its push provider had answered so. */
export const recordOutcomesInFolder = (
  dataDir: string,
  notificationId: NotificationId,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> => recordAndClose(openSqliteEventStore({ path: join(dataDir, 'events.db') }), notificationId, outcomes)

/** The same in EventStoreDB. For a running portal: during the grace period, these are the first outcomes. */
export const recordOutcomesInEventStoreDb = async (
  url: string,
  notificationId: NotificationId,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> => recordAndClose(await openEventStoreDb({ url }), notificationId, outcomes)
