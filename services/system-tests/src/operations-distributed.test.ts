/** @module-tag verify */
import { registerLearner } from './testing/api-client.ts'
import { startDistributedPortal } from './testing/distributed-portal.ts'
import { describeOperations } from './testing/operations-suite.ts'
import { testEngines } from './testing/test-engines.ts'

/** Time enough for an open tab to report on a busy machine. Without one, the grace period ends in time for the test. */
const graceMs = '10000'

describeOperations(async () => {
  const portal = await startDistributedPortal(testEngines(), { settings: { SEEN_GRACE_MS: graceMs } })
  const learners = []
  for (const n of [1, 2, 3, 4]) learners.push(await registerLearner(portal, n))
  return { ...portal, readModelUrl: portal.settings['READ_MODEL_URL'] ?? '', learners }
})
