import { savePushToken } from '@portal/contracts/notifications/http'
import { callRoute, logIn, seededEmail, type SignedIn } from '../testing/api-client.ts'
import { connectInbox, type InboxClient } from '../testing/inbox-client.ts'
import { admin } from '../testing/portal-process.ts'
import type { PortalUnderTest } from './portal-under-test.ts'

export type Learner = {
  readonly name: string
  readonly token: string
  readonly userId: string
  /** At the end each tab must show what the server has. */
  readonly tabs: readonly InboxClient[]
  /** Push token of a learner who never displays a notification, so that each send is pushed once. */
  readonly device?: string
}

/** The users of a trial. */
export type TestUsers = {
  readonly adminToken: string
  readonly learners: readonly Learner[]
  readonly crowd: readonly Learner[]
  /** Keeps every tab connected for the comparison with the server. */
  keepTabsConnected(): void
  resumeTabChurn(): void
  close(): void
}

/** Number of named learners; those of the crowd come after them. */
export const testLearnerCount = 7
export const socketsPerLearner = 10
const flapMs = 1_500
const maxParallelConnects = 40

const inBatches = async <T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += atOnce)
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))))
  return results
}

const createCrowd = async ({ address, password }: PortalUnderTest, sockets: number): Promise<readonly Learner[]> => {
  const numbers = Array.from({ length: sockets / socketsPerLearner }, (_, index) => testLearnerCount + index + 1)
  const signedIn = await inBatches(numbers, 2, (number) => logIn(address, seededEmail(number), password))
  const tabs = await inBatches(
    signedIn.flatMap((learner) => Array.from({ length: socketsPerLearner }, () => learner)),
    maxParallelConnects,
    ({ token }) => connectInbox({ address, token }),
  )
  return signedIn.map(({ token, userId }, index) => ({
    name: `crowd ${index + 1}`,
    token,
    userId,
    tabs: tabs.slice(index * socketsPerLearner, (index + 1) * socketsPerLearner),
  }))
}

/**
 * Three learners with two visible tabs, at different gateways if there are two. One with a hidden tab and a device. One
 * offline with a device, one without. One whose tab reconnects periodically.
 */
export const createTestUsers = async (portal: PortalUnderTest, crowdSockets: number): Promise<TestUsers> => {
  const { address, password } = portal
  const { token: adminToken } = await logIn(address, admin.email, admin.password)
  const signedIn: SignedIn[] = []
  for (let number = 1; number <= testLearnerCount; number++)
    signedIn.push(await logIn(address, seededEmail(number), password))
  const learner = async (
    number: number,
    name: string,
    tabs: number,
    options: { readonly visible?: boolean; readonly device?: string } = {},
  ): Promise<Learner> => {
    const { token, userId } = signedIn[number - 1] ?? { token: '', userId: '' }
    const clients: InboxClient[] = []
    // The balancer distributes round robin, so two tabs reach different gateways.
    for (let tab = 0; tab < tabs; tab++)
      clients.push(await connectInbox({ address, token, visible: options.visible ?? true }))
    const { device } = options
    if (device !== undefined) await callRoute(address, savePushToken, { token, body: { token: device } })
    return { name, token, userId, tabs: clients, ...(device !== undefined && { device }) }
  }
  const reconnecting = await learner(7, 'comes and goes', 1)
  const learners = [
    await learner(1, 'reads', 2),
    await learner(2, 'marks all', 2),
    await learner(3, 'looks on', 2),
    await learner(4, 'hidden', 1, { visible: false, device: 'device-hidden' }),
    await learner(5, 'offline', 0, { device: 'device-offline' }),
    await learner(6, 'offline without a device', 0),
    reconnecting,
  ]
  const crowd = crowdSockets === 0 ? [] : await createCrowd(portal, crowdSockets)
  const flapping = reconnecting.tabs[0]?.socket
  let isPaused = true
  const timer = setInterval(() => {
    if (isPaused) return
    if (flapping?.active) flapping.disconnect()
    else flapping?.connect()
  }, flapMs)
  return {
    adminToken,
    learners,
    crowd,
    keepTabsConnected: () => {
      isPaused = true
      if (!flapping?.active) flapping?.connect()
    },
    resumeTabChurn: () => {
      isPaused = false
    },
    close: () => {
      clearInterval(timer)
      for (const { tabs } of [...learners, ...crowd]) for (const tab of tabs) tab.close()
    },
  }
}
