/** @module-tag verify */
import { join } from 'node:path'
import { logIn, seededEmail } from './testing/api-client.ts'
import { describeOperations } from './testing/operations-suite.ts'
import { newDataFolder, seedLearners, startPortal } from './testing/portal-process.ts'

/** Time enough for an open tab to report on a busy machine. Without one, the grace period ends in time for the test. */
const graceMs = '10000'

describeOperations(async () => {
  const folder = await newDataFolder()
  const password = await seedLearners(folder.path, 4)
  const portal = await startPortal({ dataDir: folder.path, settings: { SEEN_GRACE_MS: graceMs } })
  return {
    address: portal.address,
    dataDir: folder.path,
    settings: {},
    readModelUrl: `sqlite:${join(folder.path, 'read-models')}`,
    learners: await Promise.all([1, 2, 3, 4].map((n) => logIn(portal.address, seededEmail(n), password))),
    stop: async () => {
      await portal.stop()
      await folder.remove()
    },
  }
})
