import { join } from 'node:path'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { recordOutcomes } from '@portal/notifications/delivery/record-outcomes'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'

/** Records delivery outcomes in the data folder of a stopped portal, as if its push provider had answered so. */
export const recordOutcomesInFolder = async (
  dataDir: string,
  notificationId: NotificationId,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> => {
  const eventStore = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  try {
    await recordOutcomes(eventStore, notificationId, outcomes)
  } finally {
    await eventStore.close()
  }
}
