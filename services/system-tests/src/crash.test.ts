import { afterEach, test } from 'vitest'
import { freePort } from '@portal/engines/free-port'
import { logIn, seededEmail } from './testing/api-client.ts'
import { newDataFolder, type PortalProcess, seedLearners, startPortal } from './testing/portal-process.ts'
import { expectConverged, connectUsers, sendDuringDisruptions } from './testing/send-under-disruption.ts'

/**
 * Kills the portal while five senders are busy. Answered sends are in every inbox exactly once, others at most once, and every
 * connected client converges without a reload.
 */
const learnerCount = 5

const cleanUps: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const crashDuringSends = async (sendCount: number, crashAfterAnswers: readonly number[]) => {
  const dataFolder = await newDataFolder()
  cleanUps.push(dataFolder.remove)
  const password = await seedLearners(dataFolder.path, learnerCount)
  const port = await freePort()
  const start = () => startPortal({ dataDir: dataFolder.path, port })

  let portal: PortalProcess = await start()
  cleanUps.push(() => portal.kill())
  const { address } = portal
  const learners = []
  for (let n = 1; n <= learnerCount; n++) learners.push(await logIn(address, seededEmail(n), password))
  const users = await connectUsers({ address, learners, tabs: [address, address] })
  cleanUps.push(users.close)

  const crash = async () => {
    await portal.kill()
    portal = await start()
  }
  const disruptions = crashAfterAnswers.map((afterAnswers) => ({ afterAnswers, run: crash }))
  const sent = await sendDuringDisruptions({ address, users, sendCount, disruptions })
  return { address, users, sent }
}

test('two crashes during 40 sends lose and duplicate nothing, and every client converges', async () => {
  const { address, users, sent } = await crashDuringSends(40, [1, 20])
  await expectConverged(address, users, sent)
})
