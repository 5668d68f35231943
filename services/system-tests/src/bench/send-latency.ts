import { sendNotification } from '@portal/contracts/notifications/http'
import { inboxChangedSchema } from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { callRoute } from '../testing/api-client.ts'
import { type Comparison, nowMs, quantile, type Scale } from './measure.ts'
import {
  type BareProcess,
  type BenchDistributed,
  type BenchPortal,
  type SignedInPortal,
  waitForConnections,
} from './bench-portal.ts'

/** Latency from the POST to the handler in the client, at a steady rate, over open sockets. */
const text = { title: 'Fees are due', message: 'The second installment is due on Friday. '.repeat(5) }

type Side = {
  readonly users: readonly string[]
  /** Sends to one user; `label` is the title. */
  send(userId: string, label: string): Promise<unknown>
  onArrival(listener: (label: string) => void): void
  close(): void
}

/** Distributes the sockets of the learners over `socketAddresses`. */
const portalSide = async (
  portal: SignedInPortal,
  scale: Scale,
  socketAddresses: readonly string[] = [portal.address],
): Promise<Side> => {
  const learners = await portal.learners(scale.sockets)
  const listeners: ((label: string) => void)[] = []
  const sockets = learners.map(({ token }, index) => {
    const address = socketAddresses[index % socketAddresses.length] ?? portal.address
    const socket = io(address, { auth: { token }, transports: ['websocket'], forceNew: true })
    socket.on('inbox:changed', (message: unknown) => {
      const changed = inboxChangedSchema.parse(message)
      for (const change of changed.changes)
        if (change.kind === 'arrived') for (const listener of listeners) listener(change.notification.title)
      socket.emit('inbox:seen', { seq: changed.seq })
    })
    return socket
  })
  await waitForConnections(sockets)
  return {
    users: learners.map((learner) => learner.userId),
    send: (userId, label) =>
      callRoute(portal.address, sendNotification, {
        token: portal.adminToken,
        body: { userIds: [userId], title: label, message: text.message, type: 'General' },
      }),
    onArrival: (listener) => void listeners.push(listener),
    close: () => sockets.forEach((socket) => socket.close()),
  }
}

const bareSide = async (bare: BareProcess, scale: Scale): Promise<Side> => {
  const users = Array.from({ length: scale.sockets }, (_, n) => `user-${n}`)
  const listeners: ((label: string) => void)[] = []
  const sockets = users.map((user) => {
    const socket = io(bare.address, { auth: { user }, transports: ['websocket'], forceNew: true })
    socket.on('inbox:changed', (message: { title: string }) => {
      for (const listener of listeners) listener(message.title)
    })
    return socket
  })
  await waitForConnections(sockets)
  return {
    users,
    send: async (userId, label) => {
      const response = await fetch(`${bare.address}/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userId, title: label, message: text.message }),
      })
      return response.json()
    },
    onArrival: (listener) => void listeners.push(listener),
    close: () => sockets.forEach((socket) => socket.close()),
  }
}

/** Sends at the rate of the scale for one round. Returns the milliseconds from each send to its arrival. */
const oneRound = async (
  side: Side,
  scale: Scale,
  starts: Map<string, number>,
  taken: number[],
  round: string,
): Promise<number[]> => {
  const total = Math.ceil((scale.roundMs / 1_000) * scale.sendsPerSecond)
  const first = taken.length
  const begin = nowMs()
  const answers: Promise<unknown>[] = []
  for (let n = 0; n < total; n++) {
    const due = begin + (n * 1_000) / scale.sendsPerSecond
    const waitMs = due - nowMs()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const label = `${round}-${n}`
    starts.set(label, nowMs())
    answers.push(side.send(side.users[(n * 7) % side.users.length] ?? '', label))
  }
  await Promise.all(answers)
  const deadline = nowMs() + 5_000
  while (taken.length - first < total) {
    if (nowMs() > deadline) throw new Error(`only ${taken.length - first} of ${total} sends arrived`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return taken.slice(first)
}

const measured = (side: Side) => {
  const starts = new Map<string, number>()
  const taken: number[] = []
  side.onArrival((label) => {
    const start = starts.get(label)
    if (start !== undefined) taken.push(nowMs() - start)
  })
  return (scale: Scale, round: string) => oneRound(side, scale, starts, taken, round)
}

/** Runs both sides in alternating rounds and returns their latencies. */
const interleaved = async (one: Side, other: Side, scale: Scale) => {
  const run = [measured(one), measured(other)] as const
  for (const side of run) await side(scale, 'warm-up')
  const rounds: readonly [number[][], number[][]] = [[], []]
  for (let round = 0; round < scale.rounds; round++) {
    rounds[0].push(await run[0](scale, `round-${round}`))
    rounds[1].push(await run[1](scale, `round-${round}`))
  }
  one.close()
  other.close()
  return rounds
}

const comparisonsOf = (
  name: string,
  limitName: string,
  [portal, limit]: Awaited<ReturnType<typeof interleaved>>,
  atMost: readonly (readonly [q: number, times: number])[],
): Comparison[] =>
  atMost.map(([q, times]) => ({
    name: `${name}, p${q * 100}`,
    limitName,
    unit: 'ms',
    portal: portal.map((round) => quantile(round, q)),
    limit: limit.map((round) => quantile(round, q)),
    reach: { atMost: times },
  }))

export const benchSendLatency = async (portal: BenchPortal, bare: BareProcess, scale: Scale): Promise<Comparison[]> => {
  const rounds = await interleaved(await portalSide(portal, scale), await bareSide(bare, scale), scale)
  const name = `send to handler, ${scale.sockets} sockets, ${scale.sendsPerSecond}/s`
  return comparisonsOf(name, 'bare POST + FULL commit + emit', rounds, [[0.5, 3], [0.99, 2]]) // prettier-ignore
}

/**
 * The same send through six processes and three engines, against one process. The rate is one that two cores sustain.
 */
export const benchEnginesSend = async (
  distributed: BenchDistributed,
  standalone: BenchPortal,
  scale: Scale,
): Promise<Comparison[]> => {
  const calm = { ...scale, sendsPerSecond: scale.engineSendsPerSecond }
  const rounds = await interleaved(await portalSide(distributed, scale), await portalSide(standalone, scale), calm)
  const name = `engines: send to handler, ${scale.sockets} sockets, ${calm.sendsPerSecond}/s`
  return comparisonsOf(name, 'the same in one process', rounds, [[0.5, 10], [0.99, 10]]) // prettier-ignore
}
