import { registerLearner } from './testing/api-client.ts'
import { startDistributedPortal } from './testing/distributed-portal.ts'
import { describeOperations } from './testing/operations-suite.ts'
import { testEngines } from './testing/test-engines.ts'

describeOperations(async () => {
  const portal = await startDistributedPortal(testEngines(), { settings: { SEEN_GRACE_MS: '1500' } })
  const learners = []
  for (const n of [1, 2, 3, 4]) learners.push(await registerLearner(portal, n))
  return { ...portal, readModelUrl: portal.settings['READ_MODEL_URL'] ?? '', learners }
})
