import { createProgram } from '@portal/contracts/catalog/http'
import { confirmPayments, enrollLearners, revertPayments } from '@portal/contracts/catalog/learners'
import { io } from 'socket.io-client'
import { callRoute, seededEmail } from '../testing/api-client.ts'
import { type BenchPortal, connectSockets } from './bench-portal.ts'
import { type Comparison, nowMs, type Scale } from './measure.ts'

const targetMs = 1_000
const timeoutMs = 30_000

/** Counts down the sockets that have not received the next change of their enrollment. */
const createArrivals = () => {
  let onArrival = (): void => undefined
  return {
    arrived: (): void => onArrival(),
    untilAll: (missing: number): Promise<void> =>
      new Promise((resolve, reject) => {
        let left = missing
        const timer = setTimeout(() => reject(new Error(`${left} cards did not change`)), timeoutMs)
        onArrival = () => {
          if (--left > 0) return
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** One request that confirms the payments of learners who all have the portal open, until the last of them sees it. */
export const benchPayments = async (portal: BenchPortal, scale: Scale): Promise<Comparison[]> => {
  const { address, adminToken: token } = portal
  const count = scale.paidLearners
  const learners = await portal.learners(count)
  const arrivals = createArrivals()
  const sockets = await connectSockets(0, count, (n) => {
    const socket = io(address, { transports: ['websocket'], forceNew: true, auth: { token: learners[n]?.token } })
    socket.on('enrollment:changed', arrivals.arrived)
    return socket
  })
  const program = await callRoute(address, createProgram, { token, body: { programName: 'Measured program' } })
  const asked = { token, params: { id: program.data._id } }
  const contacts = learners.map((_, n) => seededEmail(n + 1))
  const enrolled = arrivals.untilAll(count)
  await callRoute(address, enrollLearners, { ...asked, body: { contacts } })
  await enrolled

  const userIds = learners.map(({ userId }) => userId)
  const taken: number[] = []
  for (let round = 0; round < scale.rounds; round++) {
    const body = { userIds, amount: 1_500_000, paidOn: '2026-11-20', reference: `Round ${round}` }
    const confirmed = arrivals.untilAll(count)
    const start = nowMs()
    const answer = callRoute(address, confirmPayments, { ...asked, body })
    await confirmed
    taken.push(nowMs() - start)
    const { changed, paymentId } = await answer
    if (changed !== count) throw new Error(`${changed} of ${count} payments were confirmed`)
    const reverted = arrivals.untilAll(count)
    await callRoute(address, revertPayments, { ...asked, body: { userIds, reason: 'Measured', paymentId } })
    await reverted
  }
  for (const socket of sockets) socket.close()
  const limit = taken.map(() => targetMs)
  const name = `${count} payments in one request, to the last open card`
  return [{ name, limitName: 'target', unit: 'ms', portal: taken, limit, reach: { atMost: 1 } }]
}
