import { readFile } from 'node:fs/promises'
import { sendNotification } from '@portal/contracts/notifications/http'
import { inboxChangedSchema } from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { callRoute } from '../../testing/api-client.ts'
import { type DistributedPortal, processNames } from '../../testing/distributed-portal.ts'
import { type BenchDistributed, waitForConnections } from '../bench-portal.ts'
import { type Comparison, nowMs, quantile, type Scale } from '../measure.ts'

const msPerTick = 10

/** What a process has used since its start. Its name, in brackets, may hold spaces. */
const cpuMsOfProcess = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
  return (Number(user) + Number(system)) * msPerTick
}

/** Of the portal's own processes, without the engines. */
const cpuMsOf = async (portal: Pick<DistributedPortal, 'pidOf'>): Promise<number> => {
  const used = await Promise.all(processNames.map(async (name) => cpuMsOfProcess(await portal.pidOf(name))))
  return used.reduce((sum, ms) => sum + ms, 0)
}

const maxLagMs = 1_000
/** One process used it for a send to five, when each subscription looked for the end of the log by itself. */
const maxCpuMs = 24

/**
 * How far the consumers are behind the event store under a steady load: from the time that the store gave an event to
 * the moment it is on its reader's screen, so feed, Kafka, projection and gateway together. The worst of each round.
 */
export const benchLag = async (distributed: BenchDistributed, scale: Scale): Promise<Comparison[]> => {
  const { address, adminToken, portal } = distributed
  const learners = await distributed.learners(scale.sockets)
  let lags: number[] = []
  const sockets = learners.map(({ token }) => {
    const socket = io(address, { auth: { token }, transports: ['websocket'], forceNew: true })
    socket.on('inbox:changed', (message: unknown) => {
      const { changes, seq } = inboxChangedSchema.parse(message)
      for (const change of changes) {
        if (change.kind === 'arrived') lags.push(Date.now() - Date.parse(change.notification.timestamp))
      }
      socket.emit('inbox:seen', { seq })
    })
    return socket
  })
  await waitForConnections(sockets)

  /** The worst lag, how many sends a second were answered, and the CPU that each took. */
  const round = async (): Promise<{ readonly worstMs: number; readonly rate: number; readonly cpuMs: number }> => {
    lags = []
    const cpuBefore = await cpuMsOf(portal)
    const total = Math.ceil((scale.lagMs / 1_000) * scale.lagSendsPerSecond)
    const startMs = nowMs()
    const answers: Promise<unknown>[] = []
    for (let n = 0; n < total; n++) {
      const waitMs = startMs + (n * 1_000) / scale.lagSendsPerSecond - nowMs()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      const { userId = '' } = learners[(n * 7) % learners.length] ?? {}
      const body = { userIds: [userId], title: `Number ${n}`, message: 'The hall is closed.', type: 'General' }
      answers.push(callRoute(address, sendNotification, { token: adminToken, body }))
    }
    await Promise.all(answers)
    const rate = (total * 1_000) / (nowMs() - startMs)
    const deadline = nowMs() + 60_000
    while (lags.length < total) {
      if (nowMs() > deadline) throw new Error(`only ${lags.length} of ${total} sends arrived`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return { worstMs: quantile(lags, 1), rate, cpuMs: ((await cpuMsOf(portal)) - cpuBefore) / total }
  }
  await round()
  const rounds: Awaited<ReturnType<typeof round>>[] = []
  for (let n = 0; n < Math.min(scale.rounds, 3); n++) rounds.push(await round())
  for (const socket of sockets) socket.close()
  const rate = Math.round(quantile(rounds.map((each) => each.rate), 0.5)) // prettier-ignore
  return [
    {
      name: `engines: lag of the consumers, ${scale.lagSendsPerSecond} sends/s asked for, ${rate}/s answered, worst`,
      limitName: 'a second',
      unit: 'ms',
      portal: rounds.map(({ worstMs }) => worstMs),
      limit: rounds.map(() => maxLagMs),
      reach: { atMost: 1 },
    },
    {
      name: 'engines: CPU of all processes of the portal for each send',
      limitName: '24 ms',
      unit: 'ms',
      portal: rounds.map(({ cpuMs }) => cpuMs),
      limit: rounds.map(() => maxCpuMs),
      reach: { atMost: 1 },
    },
  ]
}
