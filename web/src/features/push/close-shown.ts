import type { NotificationId } from '@portal/contracts/shared/ids'
import { registeredPushWorker } from './push-worker.ts'

/** Closes the shown pushes of a notification. Their tag is its id. */
export const closeShown = async (notificationId: NotificationId): Promise<void> => {
  const worker = await registeredPushWorker()
  for (const shown of (await worker?.getNotifications({ tag: notificationId })) ?? []) shown.close()
}
