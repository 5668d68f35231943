import { sendNotification } from '@portal/contracts/notifications/http'
import { inboxChangedSchema } from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { callRoute } from '../../testing/api-client.ts'
import { type BenchDistributed, waitForConnections } from '../bench-portal.ts'
import { type Comparison, nowMs, quantile, type Scale } from '../measure.ts'

const maxLagMs = 1_000
/** The time when each subscription polled the end of the log separately. */
const maxCpuMs = 24

/**
 * Consumer lag under a steady load: from the append in the event store to arrival at the client, so log publisher,
 * Kafka, projection and gateway together. Reports the worst of each round.
 */
export const benchLag = async (distributed: BenchDistributed, scale: Scale): Promise<Comparison[]> => {
  const { address, adminToken } = distributed
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

  /** The worst lag, the answered sends per second, and the CPU time per send. */
  const round = async (): Promise<{ readonly worstMs: number; readonly rate: number; readonly cpuMs: number }> => {
    lags = []
    const cpuBefore = await distributed.cpuMs()
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
    return { worstMs: quantile(lags, 1), rate, cpuMs: ((await distributed.cpuMs()) - cpuBefore) / total }
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
