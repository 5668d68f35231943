import { newDataFolder, startPortal } from '@portal/system-tests/testing/portal-process'
import type { RunningPortal } from './journeys.ts'

/** A portal in which nobody has done anything yet. */
export const startEmptyPortal = async (): Promise<RunningPortal> => {
  const dataFolder = await newDataFolder()
  const portal = await startPortal({ dataDir: dataFolder.path })
  return {
    address: portal.address,
    dataDir: dataFolder.path,
    stop: async () => {
      await portal.stop()
      await dataFolder.remove()
    },
  }
}
