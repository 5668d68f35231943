import { sendNotification } from '@portal/contracts/notifications/http'
import { inboxChangedSchema } from '@portal/contracts/notifications/socket'
import { io, type Socket } from 'socket.io-client'
import { callRoute } from '../testing/api-client.ts'
import { type BareProcess } from './bare-process.ts'
import { type Comparison, nowMs, quantile } from './measure.ts'
import type { BenchPortal } from './bench-portal.ts'
import type { Scale } from './scale.ts'

/** From the click (the POST leaves) to the client's handler, at a steady rate, over open sockets. */
const text = { title: 'Fees are due', message: 'The second instalment is due on Friday. '.repeat(5) }

type Side = {
  readonly users: readonly string[]
  /** Sends to one user; `label` comes back in the title. */
  send(userId: string, label: string): Promise<unknown>
  onArrival(listener: (label: string) => void): void
}

const connected = async (sockets: readonly Socket[]) => {
  await Promise.all(
    sockets.map((socket) =>
      socket.connected
        ? undefined
        : new Promise<void>((resolve, reject) => {
            socket.once('connect', resolve)
            socket.once('connect_error', reject)
          }),
    ),
  )
}

const portalSide = async (portal: BenchPortal, scale: Scale): Promise<Side & { close(): void }> => {
  const learners = await portal.learners(scale.sockets)
  const listeners: ((label: string) => void)[] = []
  const sockets = learners.map(({ token }) => {
    const socket = io(portal.address, { auth: { token }, transports: ['websocket'], forceNew: true })
    socket.on('inbox:changed', (message: unknown) => {
      const changed = inboxChangedSchema.parse(message)
      for (const change of changed.changes)
        if (change.kind === 'arrived') for (const listener of listeners) listener(change.notification.title)
      socket.emit('inbox:seen', { seq: changed.seq })
    })
    return socket
  })
  await connected(sockets)
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

const bareSide = async (bare: BareProcess, scale: Scale): Promise<Side & { close(): void }> => {
  const users = Array.from({ length: scale.sockets }, (_, n) => `user-${n}`)
  const listeners: ((label: string) => void)[] = []
  const sockets = users.map((user) => {
    const socket = io(bare.address, { auth: { user }, transports: ['websocket'], forceNew: true })
    socket.on('inbox:changed', (message: { title: string }) => {
      for (const listener of listeners) listener(message.title)
    })
    return socket
  })
  await connected(sockets)
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

/** Sends at the scale's rate for one round; the milliseconds from each send to its arrival. */
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

export const benchSendLatency = async (portal: BenchPortal, bare: BareProcess, scale: Scale): Promise<Comparison[]> => {
  const sides = { portal: await portalSide(portal, scale), bare: await bareSide(bare, scale) }
  const run = { portal: measured(sides.portal), bare: measured(sides.bare) }
  await run.portal(scale, 'warm-up')
  await run.bare(scale, 'warm-up')
  const rounds = { portal: [] as number[][], bare: [] as number[][] }
  for (let round = 0; round < scale.rounds; round++) {
    rounds.portal.push(await run.portal(scale, `round-${round}`))
    rounds.bare.push(await run.bare(scale, `round-${round}`))
  }
  sides.portal.close()
  sides.bare.close()
  const comparison = (q: number, atMost: number): Comparison => ({
    name: `send to handler, ${scale.sockets} sockets, ${scale.sendsPerSecond}/s, p${q * 100}`,
    limitName: 'bare POST + FULL commit + emit',
    unit: 'ms',
    portal: rounds.portal.map((taken) => quantile(taken, q)),
    limit: rounds.bare.map((taken) => quantile(taken, q)),
    reach: { atMost },
  })
  return [comparison(0.5, 3), comparison(0.99, 2)]
}
