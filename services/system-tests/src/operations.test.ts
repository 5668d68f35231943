import { join } from 'node:path'
import { logIn, seededEmail } from './testing/api-client.ts'
import { describeOperations } from './testing/operations-suite.ts'
import { newDataFolder, seedLearners, startPortal } from './testing/portal-process.ts'

describeOperations(async () => {
  const folder = await newDataFolder()
  const password = await seedLearners(folder.path, 4)
  const portal = await startPortal({ dataDir: folder.path, settings: { SEEN_GRACE_MS: '500' } })
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
