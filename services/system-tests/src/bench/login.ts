import { logIn as logInRoute } from '@portal/contracts/auth/http'
import { listNotifications } from '@portal/contracts/notifications/http'
import { hash, verify } from '@node-rs/argon2'
import { callRoute, seededEmail } from '../testing/api-client.ts'
import type { BenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, nowMs, quantile, type Scale } from './measure.ts'

/** Logins per second against bare argon2id at the same cost and concurrency, and the inbox page meanwhile. */
const concurrency = 4
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const rateOf = async (durationMs: number, work: (n: number) => Promise<unknown>): Promise<number> => {
  const end = nowMs() + durationMs
  const start = nowMs()
  let done = 0
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      while (nowMs() < end) {
        await work(worker + done)
        done += 1
      }
    }),
  )
  return done / ((nowMs() - start) / 1_000)
}

export const benchLogin = async (portal: BenchPortal, scale: Scale): Promise<Comparison[]> => {
  const [reader] = await portal.learners(1)
  if (!reader) throw new Error('no learner')
  const stored = await hash(portal.password, cost)
  const logInOnce = (n: number) =>
    callRoute(portal.address, logInRoute, {
      // Enough accounts that none exceeds the logins that the portal allows per hour.
      body: { personalEmail: seededEmail(2 + (n % Math.min(500, portal.userIds.size - 2))), password: portal.password },
    })
  const readPage = () =>
    callRoute(portal.address, listNotifications, { token: reader.token, query: { page: 1, limit: 10 } })
  const figures = { logIn: [] as number[], argon2: [] as number[], busyPage: [] as number[], idlePage: [] as number[] }
  await rateOf(scale.roundMs / 3, logInOnce)
  for (let round = 0; round < scale.rounds; round++) {
    figures.argon2.push(await rateOf(scale.roundMs, () => verify(stored, portal.password)))
    figures.logIn.push(await rateOf(scale.roundMs, logInOnce))
    figures.idlePage.push(quantile(await measureLatencies(scale.roundMs, readPage), 0.99))
    const loggingIn = rateOf(scale.roundMs, logInOnce)
    figures.busyPage.push(quantile(await measureLatencies(scale.roundMs, readPage), 0.99))
    await loggingIn
  }
  return [
    {
      name: `log-in, ${concurrency} at a time`,
      limitName: 'bare argon2id, same cost',
      unit: '/s',
      portal: figures.logIn,
      limit: figures.argon2,
      reach: { atLeast: 0.9 },
    },
    {
      name: 'inbox page during log-ins, p99',
      limitName: 'the same, idle',
      unit: 'ms',
      portal: figures.busyPage,
      limit: figures.idlePage,
      reach: { atMost: 3 },
    },
  ]
}
