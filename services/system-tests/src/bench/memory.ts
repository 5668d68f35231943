import { io, type Socket } from 'socket.io-client'
import { connectSockets, startBareServer, startBenchPortal } from './bench-portal.ts'
import type { Comparison, Scale } from './measure.ts'
import { residentKibOf } from './process-usage.ts'

/**
 * Resident memory at the start, with one socket per learner, and per open authenticated socket, against a bare Socket.IO server.
 * Each round uses new processes.
 */
const rounds = 3
const socketsPerLearner = 5

const settled = async (pid: number): Promise<number> => {
  // Waits until the figure is stable, because garbage collection is asynchronous.
  let last = residentKibOf(pid)
  for (let tries = 0; tries < 20; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    const now = residentKibOf(pid)
    if (Math.abs(now - last) < 256) return now
    last = now
  }
  return last
}

type Usage = { readonly startMib: number; readonly connectedMib: number; readonly socketKib: number }

/** `logIn` returns what opens a socket. */
const usageOf = async (pid: number, count: number, logIn: () => Promise<(n: number) => Socket>): Promise<Usage> => {
  const start = await settled(pid)
  const open = await logIn()
  const before = await settled(pid)
  const sockets: Socket[] = []
  const openUpTo = async (total: number): Promise<number> => {
    sockets.push(...(await connectSockets(sockets.length, total, open)))
    return settled(pid)
  }
  const connected = await openUpTo(count / socketsPerLearner)
  const all = await openUpTo(count)
  for (const socket of sockets) socket.close()
  return { startMib: start / 1_024, connectedMib: connected / 1_024, socketKib: (all - before) / count }
}

const options = { transports: ['websocket'], forceNew: true, reconnection: false }

export const benchMemory = async (scale: Scale): Promise<Comparison[]> => {
  const usage = { portal: [] as Usage[], bare: [] as Usage[] }
  const count = scale.memorySockets
  const learnerCount = count / socketsPerLearner
  for (let round = 0; round < Math.min(rounds, scale.rounds); round++) {
    const portal = await startBenchPortal(learnerCount)
    usage.portal.push(
      await usageOf(portal.pid, count, async () => {
        const learners = await portal.learners(learnerCount)
        return (n) => io(portal.address, { ...options, auth: { token: learners[n % learnerCount]?.token } })
      }),
    )
    await portal.stop()
    const bare = await startBareServer(':memory:')
    usage.bare.push(
      await usageOf(bare.pid, count, async () => {
        return (n) => io(bare.address, { ...options, auth: { user: `user-${n % learnerCount}` } })
      }),
    )
    await bare.stop()
  }
  const compare = (name: string, unit: 'KiB' | 'MiB', figure: (one: Usage) => number, atMost: number): Comparison => ({
    name,
    limitName: 'bare Socket.IO',
    unit,
    portal: usage.portal.map(figure),
    limit: usage.bare.map(figure),
    reach: { atMost },
  })
  const number = (sockets: number) => sockets.toLocaleString('en')
  return [
    compare('memory at the start', 'MiB', ({ startMib }) => startMib, 2),
    compare(`memory with ${number(learnerCount)} sockets`, 'MiB', ({ connectedMib }) => connectedMib, 2),
    compare(`memory a signed-in socket at ${number(count)}`, 'KiB', ({ socketKib }) => socketKib, 1.25),
  ]
}
