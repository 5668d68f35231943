import { describe } from 'vitest'
import { registeredPassword, registerLearner, seededEmail } from '@portal/system-tests/testing/api-client'
import { startDistributedPortal } from '@portal/system-tests/testing/distributed-portal'
import { newDataFolder, seedLearners, startPortal } from '@portal/system-tests/testing/portal-process'
import { testEngines } from '@portal/system-tests/testing/test-engines'
import { mainJob } from './main-job.ts'

describe('the main job on one machine', () => {
  mainJob(async () => {
    const dataFolder = await newDataFolder()
    const learnerPassword = await seedLearners(dataFolder.path, 3)
    const portal = await startPortal({ dataDir: dataFolder.path })
    return {
      address: portal.address,
      gateways: 1,
      dataDir: dataFolder.path,
      learnerEmails: [seededEmail(1), seededEmail(2), seededEmail(3)],
      learnerPassword,
      stop: async () => {
        await portal.stop()
        await dataFolder.remove()
      },
    }
  })
})

describe('the main job on separate processes, Kafka, Redis and EventStoreDB (its test double without Docker)', () => {
  mainJob(async () => {
    const portal = await startDistributedPortal(testEngines())
    const email = async (n: number) => (await registerLearner(portal, n)).email
    return {
      address: portal.address,
      gateways: 2,
      dataDir: portal.dataDir,
      learnerEmails: [await email(1), await email(2), await email(3)],
      learnerPassword: registeredPassword,
      stop: portal.stop,
    }
  })
})
