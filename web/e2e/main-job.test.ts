import { describe } from 'vitest'
import { registeredPassword, registerLearner } from '@portal/system-tests/testing/api-client'
import { startDistributedPortal } from '@portal/system-tests/testing/distributed-portal'
import { testEngines } from '@portal/system-tests/testing/test-engines'
import { mainJob } from './main-job.ts'
import { startLearnersPortal } from './portals.ts'

describe('the main job on one machine', () => {
  mainJob(async () => ({ ...(await startLearnersPortal(3)), gateways: 1 }))
})

describe('the main job on separate processes, Kafka, Redis and EventStoreDB (its test double without Docker)', () => {
  mainJob(async () => {
    const portal = await startDistributedPortal(testEngines())
    const emails: string[] = []
    for (const n of [1, 2, 3]) emails.push((await registerLearner(portal, n)).email)
    return {
      address: portal.address,
      gateways: 2,
      dataDir: portal.dataDir,
      learner: (n) => ({ email: emails[n - 1] ?? '', password: registeredPassword }),
      stop: portal.stop,
    }
  })
})
