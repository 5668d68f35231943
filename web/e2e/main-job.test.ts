import { describe } from 'vitest'
import { newDataFolder, seedLearners, startPortal } from '../../services/system-tests/src/testing/portal-process.ts'
import { mainJob } from './main-job.ts'

describe('the main job on one machine', () => {
  mainJob(async () => {
    const dataFolder = await newDataFolder()
    const learnerPassword = await seedLearners(dataFolder.path, 3)
    const portal = await startPortal({ dataDir: dataFolder.path })
    return {
      address: portal.address,
      otherAddress: portal.address,
      dataDir: dataFolder.path,
      learnerPassword,
      stop: async () => {
        await portal.stop()
        await dataFolder.remove()
      },
    }
  })
})
