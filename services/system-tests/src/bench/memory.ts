import { io, type Socket } from 'socket.io-client'
import { startBareServer, startBenchPortal, waitForConnections } from './bench-portal.ts'
import type { Comparison, Scale } from './measure.ts'
import { residentKibOf } from './process-usage.ts'

/** Resident memory per open authenticated socket, against a bare Socket.IO socket. Each round uses new processes. */
const rounds = 3
const socketsPerLearner = 20
const maxParallelConnects = 100

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

const kibPerSocket = async (pid: number, count: number, open: (n: number) => Socket): Promise<number> => {
  const before = await settled(pid)
  const sockets: Socket[] = []
  for (let from = 0; from < count; from += maxParallelConnects) {
    const batch = Array.from({ length: Math.min(maxParallelConnects, count - from) }, (_, n) => open(from + n))
    sockets.push(...batch)
    await waitForConnections(batch)
  }
  const after = await settled(pid)
  for (const socket of sockets) socket.close()
  return (after - before) / count
}

const options = { transports: ['websocket'], forceNew: true, reconnection: false }

export const benchMemory = async (scale: Scale): Promise<Comparison[]> => {
  const figures = { portal: [] as number[], bare: [] as number[] }
  const count = scale.memorySockets
  for (let round = 0; round < Math.min(rounds, scale.rounds); round++) {
    const portal = await startBenchPortal(Math.ceil(count / socketsPerLearner))
    const learners = await portal.learners(Math.ceil(count / socketsPerLearner))
    figures.portal.push(
      await kibPerSocket(portal.pid, count, (n) =>
        io(portal.address, { ...options, auth: { token: learners[n % learners.length]?.token } }),
      ),
    )
    await portal.stop()
    const bare = await startBareServer(':memory:')
    figures.bare.push(
      await kibPerSocket(bare.pid, count, (n) =>
        io(bare.address, { ...options, auth: { user: `user-${n % learners.length}` } }),
      ),
    )
    await bare.stop()
  }
  return [
    {
      name: `memory a signed-in socket at ${count.toLocaleString('en')}`,
      limitName: 'bare Socket.IO',
      unit: 'KiB',
      portal: figures.portal,
      limit: figures.bare,
      reach: { atMost: 1.25 },
    },
  ]
}
