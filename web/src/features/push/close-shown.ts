import { registeredPushWorker } from './push-worker.ts'

/** Closes shown pushes by their tag: the id of a notification, or empty for a push that the provider's console has sent. */
export const closeShown = async (isOver: (tag: string) => boolean): Promise<void> => {
  const worker = await registeredPushWorker()
  for (const shown of (await worker?.getNotifications()) ?? []) if (isOver(shown.tag)) shown.close()
}

export const closeAllShown = (): Promise<void> => closeShown(() => true)
