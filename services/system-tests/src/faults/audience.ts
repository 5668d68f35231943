import { savePushToken } from '@portal/contracts/notifications/http'
import { callRoute, logIn, seededEmail, type SignedIn } from '../testing/api-client.ts'
import { connectInbox, type InboxClient } from '../testing/inbox-client.ts'
import { admin } from '../testing/portal-process.ts'
import type { TestedPortal } from './tested-portal.ts'

export type Learner = {
  readonly name: string
  readonly token: string
  readonly userId: string
  /** Every one of them has to end equal to the server. */
  readonly tabs: readonly InboxClient[]
  /** The push token of a learner who never shows a notification on screen: each send is pushed once. */
  readonly device?: string
}

/** Everyone who is there in each trial. */
export type Audience = {
  readonly adminToken: string
  readonly learners: readonly Learner[]
  readonly crowd: readonly Learner[]
  /** From here on every tab stays connected, for the comparison with the server; until they are released. */
  holdTabs(): void
  releaseTabs(): void
  close(): void
}

/** Learners of the audience proper; a crowd's come after them. */
export const audienceSize = 7
export const socketsOfEach = 10
const flapMs = 1_500
const connectingAtOnce = 40

const inTurns = async <T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  return results
}

const gatherCrowd = async ({ address, password }: TestedPortal, sockets: number): Promise<readonly Learner[]> => {
  const numbers = Array.from({ length: sockets / socketsOfEach }, (_, at) => audienceSize + at + 1)
  const signedIn = await inTurns(numbers, 2, (number) => logIn(address, seededEmail(number), password))
  const tabs = await inTurns(
    signedIn.flatMap((learner) => Array.from({ length: socketsOfEach }, () => learner)),
    connectingAtOnce,
    ({ token }) => connectInbox({ address, token }),
  )
  return signedIn.map(({ token, userId }, at) => ({
    name: `crowd ${at + 1}`,
    token,
    userId,
    tabs: tabs.slice(at * socketsOfEach, (at + 1) * socketsOfEach),
  }))
}

/**
 * Three learners with two visible tabs (one at each gateway, where there are two), one with a hidden tab and a device, one
 * offline with a device, one offline without, one whose tab comes and goes.
 */
export const gatherAudience = async (portal: TestedPortal, crowdSockets: number): Promise<Audience> => {
  const { address, password } = portal
  const { token: adminToken } = await logIn(address, admin.email, admin.password)
  const signedIn: SignedIn[] = []
  for (let number = 1; number <= audienceSize; number++)
    signedIn.push(await logIn(address, seededEmail(number), password))
  const learner = async (
    number: number,
    name: string,
    tabs: number,
    options: { readonly visible?: boolean; readonly device?: string } = {},
  ): Promise<Learner> => {
    const { token, userId } = signedIn[number - 1] ?? { token: '', userId: '' }
    const clients: InboxClient[] = []
    // The balancer goes round: of two tabs each is at another gateway.
    for (let tab = 0; tab < tabs; tab++)
      clients.push(await connectInbox({ address, token, visible: options.visible ?? true }))
    const { device } = options
    if (device !== undefined) await callRoute(address, savePushToken, { token, body: { token: device } })
    return { name, token, userId, tabs: clients, ...(device !== undefined && { device }) }
  }
  const learners = [
    await learner(1, 'reads', 2),
    await learner(2, 'marks all', 2),
    await learner(3, 'looks on', 2),
    await learner(4, 'hidden', 1, { visible: false, device: 'device-hidden' }),
    await learner(5, 'offline', 0, { device: 'device-offline' }),
    await learner(6, 'offline without a device', 0),
    await learner(7, 'comes and goes', 1),
  ]
  const crowd = crowdSockets === 0 ? [] : await gatherCrowd(portal, crowdSockets)
  const flapping = learners[6]?.tabs[0]?.socket
  let isHeld = true
  const timer = setInterval(() => {
    if (isHeld) return
    if (flapping?.active) flapping.disconnect()
    else flapping?.connect()
  }, flapMs)
  return {
    adminToken,
    learners,
    crowd,
    holdTabs: () => {
      isHeld = true
      if (!flapping?.active) flapping?.connect()
    },
    releaseTabs: () => {
      isHeld = false
    },
    close: () => {
      clearInterval(timer)
      for (const { tabs } of [...learners, ...crowd]) for (const tab of tabs) tab.close()
    },
  }
}
