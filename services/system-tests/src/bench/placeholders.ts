import { sendNotification } from '@portal/contracts/notifications/http'
import { callRoute } from '../testing/api-client.ts'
import { untilProgress } from './audience.ts'
import { type BenchLearner, type BenchPortal, startBenchPortal } from './bench-portal.ts'
import { type Comparison, nowMs, type Scale } from './measure.ts'
import { rateOf } from './page-throughput.ts'
import { inData, registeredUsers } from './push-rules.ts'
import { recordEnrollments } from './record-enrollments.ts'
import { portalSide, type Side } from './side.ts'

const maxRounds = 5
const notices = 20
const arrivalTimeoutMs = 60_000

const plain = { title: 'For every learner', message: 'Your program starts on Monday. Your code is on the card.' }
const personal = { title: 'For {{name}}', message: '{{program}} starts on Monday. Your code is {{code}}.' }
type Text = typeof plain

const untilEachOnline = (side: Side) => {
  let missing = 0
  let arrived: () => void = () => undefined
  side.onArrival(() => {
    missing -= 1
    if (missing === 0) arrived()
  })
  return (): Promise<void> =>
    new Promise((resolve, reject) => {
      missing = side.users.length
      const timer = setTimeout(() => reject(new Error(`${missing} sockets got nothing`)), arrivalTimeoutMs)
      arrived = () => {
        clearTimeout(timer)
        resolve()
      }
    })
}

/** Until it is in every inbox, and on every open screen. */
const sendToEveryone = async (portal: BenchPortal, text: Text, onlineHaveIt: () => Promise<void>): Promise<number> => {
  const start = nowMs()
  const onScreens = onlineHaveIt()
  const body = { audience: { everyone: true }, ...text, type: 'General' } as const
  await callRoute(portal.address, sendNotification, { token: portal.adminToken, body })
  await untilProgress(portal, ({ distributed }) => distributed === undefined)
  await onScreens
  const taken = nowMs() - start
  // What follows must not disturb the next send.
  await untilProgress(portal, ({ pending }) => pending === 0)
  return taken
}

const fillInbox = async (portal: BenchPortal, { userId }: BenchLearner, text: Text): Promise<void> => {
  for (let n = 0; n < notices; n++) {
    const body = { userIds: [userId], ...text, type: 'General' as const }
    await callRoute(portal.address, sendNotification, { token: portal.adminToken, body })
  }
}

/** The same send and the same page, with placeholders and without. */
export const benchPlaceholders = async (scale: Scale): Promise<Comparison[]> => {
  const portal = await startBenchPortal(scale.audienceLearners, {
    // Those who are online and some more: the portal reads what is recorded here before it lets the admin in.
    prepare: (dataDir) =>
      inData(dataDir, async (store) =>
        recordEnrollments(store, (await registeredUsers(store)).slice(0, 2 * scale.audienceOnline)),
      ),
    startTimeoutMs: 300_000,
  })
  try {
    const online = await portalSide(portal, scale.audienceOnline)
    const onlineHaveIt = untilEachOnline(online)
    const rounds = Math.min(maxRounds, scale.rounds)
    const sends = { plain: [] as number[], personal: [] as number[] }
    await sendToEveryone(portal, plain, onlineHaveIt)
    for (let round = 0; round < rounds; round++) {
      sends.personal.push(await sendToEveryone(portal, personal, onlineHaveIt))
      sends.plain.push(await sendToEveryone(portal, plain, onlineHaveIt))
    }
    online.close()

    const [first, second] = await portal.learners(2)
    if (!first || !second) throw new Error('no learners')
    await fillInbox(portal, first, plain)
    await fillInbox(portal, second, personal)
    const pageRate = ({ token }: BenchLearner): Promise<number> => {
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
      return rateOf(`${portal.address}/notifications?page=1&limit=10`, headers, scale)
    }
    const pages = { plain: [] as number[], personal: [] as number[] }
    await pageRate(first)
    for (let round = 0; round < rounds; round++) {
      pages.plain.push(await pageRate(first))
      pages.personal.push(await pageRate(second))
    }
    const [learners, sockets] = [scale.audienceLearners, scale.audienceOnline].map((count) =>
      count.toLocaleString('en'),
    )
    return [
      {
        name: `one send to ${learners} with three placeholders, in every inbox and on ${sockets} screens`,
        limitName: 'the same without',
        unit: 'ms',
        portal: sends.personal,
        limit: sends.plain,
        reach: { atMost: 1.15 },
      },
      {
        name: 'signed-in inbox page with three placeholders in each notification',
        limitName: 'the same without',
        unit: '/s',
        portal: pages.personal,
        limit: pages.plain,
        reach: { atLeast: 0.91 },
      },
    ]
  } finally {
    await portal.stop()
  }
}
