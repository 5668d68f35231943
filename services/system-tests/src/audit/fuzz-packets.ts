import {
  inboxResumeSchema,
  inboxSeenSchema,
  socketEvents,
  tabVisibilitySchema,
} from '@portal/contracts/notifications/socket'
import { sendNotification } from '@portal/contracts/notifications/http'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import fc from 'fast-check'
import { callRoute, seededEmail } from '../testing/api-client.ts'
import { connectInbox } from '../testing/inbox-client.ts'
import { eventually } from '../testing/portal-process.ts'
import { type AuditPortal, expectStillHealthy, memoryTolerance } from './audit-portal.ts'
import { hostileText, hostileValue } from './hostile-values.ts'
import { createFailures, type AuditResult } from './audit-result.ts'
import { arbitraryFor } from './schema-arbitraries.ts'

const atOnce = 8
/** Packets before the client closes the connection; the portal closes most earlier because of invalid ones. */
const packetsPerConnection = 40
const stepTimeoutMs = 10_000

const packet = (event: unknown, ...values: unknown[]): string => JSON.stringify([event, ...values])

/** Frames with valid messages, unknown messages, and malformed frames. */
const frames: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(99), arbitraryFor(inboxResumeSchema, []))
      .map(([id, message]) => `42${id}${packet(socketEvents.inboxResume, message)}`),
  },
  {
    weight: 6,
    arbitrary: arbitraryFor(inboxSeenSchema, []).map((message) => `42${packet(socketEvents.inboxSeen, message)}`),
  },
  {
    weight: 6,
    arbitrary: arbitraryFor(tabVisibilitySchema, []).map(
      (message) => `42${packet(socketEvents.tabVisibility, message)}`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(hostileValue, hostileValue).map(([event, message]) => `42${packet(event, message)}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('connect', 'disconnect', 'disconnecting', 'newListener', 'error', '__proto__', 'session:ended')
      .map((event) => `42${packet(event, {})}`),
  },
  { weight: 1, arbitrary: hostileText.map((text) => `42${text}`) },
  { weight: 1, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '40',
      '40/admin,{}',
      '41',
      '43[]',
      '430[null]',
      '45-["x",{"_placeholder":true,"num":0}]',
      '451-["inbox:seen",{"_placeholder":true,"num":0}]',
      '4599999999999-["x"]',
      '5',
      '2probe',
      '6',
      '0{}',
      '42["inbox:seen"',
      '421e9["inbox:seen",{}]',
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 16_000, max: 40_000 }).map((length) => `42["x","${'y'.repeat(length)}"]`) },
)

const next = <T>(what: string, begin: (done: (value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not within ${stepTimeoutMs} ms: ${what}`)), stepTimeoutMs)
    begin((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })

/** An authenticated WebSocket that can send arbitrary frames. */
const open = async (address: string, token: string): Promise<WebSocket> => {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  const connected = next<boolean>('the socket is connected', (done) => {
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return
      if (data.startsWith('0{')) socket.send(`40${JSON.stringify({ token })}`)
      else if (data === '2') socket.send('3')
      else if (data.startsWith('40')) done(true)
      else if (data.startsWith('44')) done(false)
    })
    socket.addEventListener('close', () => done(false))
  })
  if (!(await connected)) throw new Error('a signed-in socket was refused')
  return socket
}

/** Sends random packets from the contract schemas, and malformed frames, as logged-in learners. */
export const fuzzPackets = async (portal: AuditPortal, packets: number, seed: number): Promise<AuditResult> => {
  const failures = createFailures()
  const learners = Math.min(20, portal.userIds.size - 3)
  const tokens: string[] = []
  for (let number = 3; number < 3 + learners; number++) tokens.push(await portal.logInLearner(number))
  const adminToken = await portal.logIn('admin')
  let sent = 0
  let closedByPortal = 0
  let connections = 0

  /** Sends the frames of one connection; stops if the portal closes it. */
  const sendFrames = async (said: readonly (string | Uint8Array)[], token: string) => {
    connections += 1
    const socket = await open(portal.address, token)
    for (const frame of said) {
      if (socket.readyState !== WebSocket.OPEN) {
        closedByPortal += 1
        return
      }
      socket.send(typeof frame === 'string' ? frame : Uint8Array.from(frame))
      sent += 1
      // Lets the close from the portal arrive, so that only packets that it has read are counted.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const closed = next<boolean>('the socket is closed', (done) => socket.addEventListener('close', () => done(true)))
    socket.close()
    await closed
  }

  const run = async (count: number, from: number) => {
    const target = sent + count
    for (let round = 0; sent < target && portal.ended() === undefined; round++)
      await forEachConcurrently(atOnce, Array(atOnce).keys(), async (index) => {
        const said = fc.sample(frames, { seed: from + round * atOnce + index, numRuns: packetsPerConnection })
        const token = tokens[(round * atOnce + index) % tokens.length] ?? ''
        await sendFrames(said, token).catch((error: unknown) => failures.add(String(error)))
      })
  }

  const witness = await connectInbox({ address: portal.address, token: await portal.logInLearner(2) })
  const heap = await expectStillHealthy(portal, failures, { total: packets, seed, run })
  const before = witness.unread()
  await callRoute(portal.address, sendNotification, {
    token: adminToken,
    body: {
      userIds: [portal.userIds.get(seededEmail(2))],
      title: 'Still here',
      message: 'Still here',
      type: 'General',
    },
  })
  await eventually(
    'a learner who was connected all the while hears of a send',
    () => witness.unread() === before + 1,
  ).catch((error: unknown) => failures.add(String(error)))
  witness.close()
  return {
    name: 'fuzzed packets',
    tried: `${sent.toLocaleString('en')} packets over ${connections} connections, ${closedByPortal} of them ended by the portal, seed ${seed}`,
    expected: `no crash, no learner disconnected by it; ${memoryTolerance}`,
    found: `${failures.count} defects; ${heap}`,
    failures: failures.lines(),
    exceeded: failures.exceeded(),
  }
}
