import { registeredPushWorker } from './push-worker.ts'

/** Closes the shown pushes of these notifications. Their tag is its id. */
export const closeShown = async (which: 'all' | ReadonlySet<string>): Promise<void> => {
  const worker = await registeredPushWorker()
  for (const shown of (await worker?.getNotifications()) ?? [])
    if (which === 'all' || which.has(shown.tag)) shown.close()
}
