import { sendNotification } from '@portal/contracts/notifications/http'
import { inboxChangedSchema } from '@portal/contracts/notifications/socket'
import { io, type Socket } from 'socket.io-client'
import { callRoute } from '../../testing/api-client.ts'
import { type BenchDistributed, type BenchLearner, waitForConnections } from '../bench-portal.ts'
import { type Comparison, nowMs, type Scale } from '../measure.ts'

/** Sends per second that reach every socket, with one gateway and with two. */
type Receivers = {
  readonly userIds: readonly string[]
  /** Resolves when every socket has received this many more. */
  received(count: number): Promise<void>
  close(): void
}

/** The balancer distributes round robin, and a connection id begins with the name of its gateway. */
const connectTo = async (address: string, gateway: string, token: string): Promise<Socket> => {
  for (let tries = 0; tries < 50; tries++) {
    const socket = io(address, { auth: { token }, transports: ['websocket'], forceNew: true })
    await waitForConnections([socket])
    if (socket.io.engine.id.startsWith(`${gateway}.`)) return socket
    socket.close()
  }
  throw new Error(`no connection got to ${gateway}`)
}

const connectReceivers = async (
  address: string,
  learners: readonly BenchLearner[],
  gateways: readonly string[],
): Promise<Receivers> => {
  let arrivals = 0
  let awaited: { readonly count: number; readonly resolve: () => void } | undefined
  const sockets: Socket[] = []
  for (const [index, { token }] of learners.entries()) {
    const socket = await connectTo(address, gateways[index % gateways.length] ?? '', token)
    socket.on('inbox:changed', (message: unknown) => {
      const { changes, seq } = inboxChangedSchema.parse(message)
      arrivals += changes.filter(({ kind }) => kind === 'arrived').length
      socket.emit('inbox:seen', { seq })
      if (awaited && arrivals >= awaited.count) awaited.resolve()
    })
    sockets.push(socket)
  }
  return {
    userIds: learners.map(({ userId }) => userId),
    received: (count) => {
      const until = arrivals + count * sockets.length
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`only ${arrivals} of ${until} arrived`)), 60_000)
        awaited = {
          count: until,
          resolve: () => {
            clearTimeout(timer)
            awaited = undefined
            resolve()
          },
        }
      })
    },
    close: () => sockets.forEach((socket) => socket.close()),
  }
}

const concurrency = 4

export const benchGateways = async (distributed: BenchDistributed, scale: Scale): Promise<Comparison[]> => {
  const { address, adminToken } = distributed
  const learners = await distributed.learners(2 * scale.gatewaySockets)
  const one = await connectReceivers(address, learners.slice(0, scale.gatewaySockets), ['gateway-1'])
  const two = await connectReceivers(address, learners.slice(scale.gatewaySockets), ['gateway-1', 'gateway-2'])

  const sendsPerSecond = async (crowd: Receivers): Promise<number> => {
    const all = crowd.received(scale.gatewaySends)
    const startMs = nowMs()
    let next = 0
    const sender = async () => {
      while (next++ < scale.gatewaySends) {
        await callRoute(address, sendNotification, {
          token: adminToken,
          body: { userIds: crowd.userIds, title: 'To everybody', message: 'The hall is closed.', type: 'General' },
        })
      }
    }
    await Promise.all([all, ...Array.from({ length: concurrency }, sender)])
    return (scale.gatewaySends * 1_000) / (nowMs() - startMs)
  }
  for (const crowd of [one, two]) await sendsPerSecond(crowd)
  const rates = { one: [] as number[], two: [] as number[] }
  for (let round = 0; round < scale.rounds; round++) {
    rates.one.push(await sendsPerSecond(one))
    rates.two.push(await sendsPerSecond(two))
  }
  one.close()
  two.close()
  return [
    {
      name: `engines: sends a second to each of ${scale.gatewaySockets} sockets, two gateways`,
      limitName: 'the same with one gateway',
      unit: '/s',
      portal: rates.two,
      limit: rates.one,
      reach: { atLeast: 0.9 },
    },
  ]
}
