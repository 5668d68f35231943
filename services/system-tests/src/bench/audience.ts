import { setTimeout as pause } from 'node:timers/promises'
import { listNotifications, listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { callRoute, logIn, seededEmail } from '../testing/api-client.ts'
import type { BenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, nowMs, quantile, type Scale } from './measure.ts'
import { residentKibOf } from './process-usage.ts'
import { portalSide } from './side.ts'

/**
 * One send to everyone by a rule, with some learners online. Measures the time from the POST to the last inbox, the
 * memory of the process, and the inbox page of another learner meanwhile, each against its target.
 */
const target = { inEveryInboxMs: 5_000, memoryKib: 200 * 1_024, pageP99Ms: 50 }
const rounds = 3
const pollMs = 20
/** The outcomes of a send must not disturb the next one. */
const settleTimeoutMs = 180_000

/** Polls the newest campaign until the condition holds. */
export const untilProgress = async (
  portal: BenchPortal,
  isReached: (progress: { readonly pending: number; readonly distributed?: number | undefined }) => boolean,
): Promise<void> => {
  const deadline = nowMs() + settleTimeoutMs
  for (;;) {
    const { notifications } = await callRoute(portal.address, listRecentNotifications, {
      token: portal.adminToken,
      query: { page: 1, limit: 1 },
    })
    const [newest] = notifications
    if (newest && 'progress' in newest && isReached(newest.progress)) return
    if (nowMs() > deadline) throw new Error(`the send was not finished within ${settleTimeoutMs} ms`)
    await pause(pollMs)
  }
}

const sendToEveryone = async (portal: BenchPortal): Promise<number> => {
  const start = nowMs()
  await callRoute(portal.address, sendNotification, {
    token: portal.adminToken,
    body: { audience: { everyone: true }, title: 'To everyone', message: 'The hall is closed.', type: 'General' },
  })
  await untilProgress(portal, ({ distributed }) => distributed === undefined)
  return nowMs() - start
}

const oneRound = async (portal: BenchPortal, readPage: () => Promise<unknown>) => {
  const before = residentKibOf(portal.pid)
  let most = before
  const watching = setInterval(() => (most = Math.max(most, residentKibOf(portal.pid))), 50)
  let done = false
  const sending = sendToEveryone(portal).finally(() => (done = true))
  const meanwhile: number[] = []
  while (!done) meanwhile.push(...(await measureLatencies(1, readPage)))
  const taken = await sending
  clearInterval(watching)
  await untilProgress(portal, ({ pending }) => pending === 0)
  return { inEveryInbox: taken, memory: most - before, pageP99: quantile(meanwhile, 0.99) }
}

export const benchAudience = async (portal: BenchPortal, scale: Scale): Promise<Comparison[]> => {
  const online = await portalSide(portal, scale.audienceOnline)
  const reader = await logIn(portal.address, seededEmail(scale.audienceLearners), portal.password)
  const readPage = () =>
    callRoute(portal.address, listNotifications, { token: reader.token, query: { page: 1, limit: 10 } })
  await measureLatencies(scale.roundMs / 3, readPage)

  const results: Awaited<ReturnType<typeof oneRound>>[] = []
  for (let round = 0; round < rounds; round++) results.push(await oneRound(portal, readPage))
  online.close()
  const constant = (value: number) => results.map(() => value)
  const name = `one audience send to ${scale.audienceLearners.toLocaleString('en')}, ${scale.audienceOnline.toLocaleString('en')} online`
  const reach = { atMost: 1 }
  return [
    {
      name: `${name}: in every inbox`,
      limitName: 'target',
      unit: 'ms',
      portal: results.map(({ inEveryInbox }) => inEveryInbox),
      limit: constant(target.inEveryInboxMs),
      reach,
    },
    {
      name: `${name}: more memory meanwhile`,
      limitName: 'target',
      unit: 'KiB',
      portal: results.map(({ memory }) => memory),
      limit: constant(target.memoryKib),
      reach,
    },
    {
      name: `${name}: another learner's page meanwhile, p99`,
      limitName: 'target',
      unit: 'ms',
      portal: results.map(({ pageP99 }) => pageP99),
      limit: constant(target.pageP99Ms),
      reach,
    },
  ]
}
