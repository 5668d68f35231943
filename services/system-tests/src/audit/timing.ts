import { forgotPassword, logIn } from '@portal/contracts/auth/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { quantile } from '../bench/measure.ts'
import { seededEmail } from '../testing/api-client.ts'
import type { AuditPortal } from './audit-portal.ts'
import { sendRaw, callerAddress } from './raw-http.ts'
import { createFailures, type AuditResult } from './audit-result.ts'

/** Pause between requests, so that background work of one, such as sending a mail, does not slow down the next. */
const pauseMs = 15
const warmUpPairs = 5
/** Standard error of a median, from the median absolute deviation, assuming normal noise. */
const errorOfMedian = (deviation: number, count: number): number => (1.2533 * 1.4826 * deviation) / Math.sqrt(count)
/** Smaller differences count as noise. */
const maxStandardErrors = 4
const minDifferenceMs = 0.25

type Timed = {
  readonly name: string
  readonly route: AnyRoute
  readonly body: (email: string) => object
  readonly expectedStatus: number
}

const median = (values: readonly number[]): number => quantile(values, 0.5)

/**
 * Interleaves a known account with two unknown ones in rotating order. The difference between the unknown ones is the
 * baseline. Each account is used equally often, and each request has its own client address.
 */
const compareTimes = async (portal: AuditPortal, pairs: number, timed: Timed): Promise<AuditResult> => {
  const { name, route, body, expectedStatus } = timed
  const failures = createFailures()
  const accounts = portal.userIds.size - 3
  let asked = 0

  const timeOf = async (email: string): Promise<number> => {
    asked += 1
    const startedAtMs = performance.now()
    const answer = await sendRaw(portal.address, {
      method: route.method,
      path: route.path,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': callerAddress(asked) },
      body: JSON.stringify(body(email)),
    })
    const tookMs = performance.now() - startedAtMs
    if (answer.status !== expectedStatus) failures.add(`${email}: ${answer.status} ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return tookMs
  }

  const known: number[] = []
  const unknown: number[] = []
  const otherUnknown: number[] = []
  for (let pair = -warmUpPairs; pair < pairs; pair++) {
    const number = 1 + ((pair + warmUpPairs) % accounts)
    const email = seededEmail(number)
    const accountsOfRound = [
      { email, times: known },
      { email: email.replace('learner', 'nobodyx'), times: unknown },
      { email: email.replace('learner', 'nobodyy'), times: otherUnknown },
    ]
    for (let at = 0; at < accountsOfRound.length; at++) {
      const account = accountsOfRound[(at + pair + warmUpPairs) % accountsOfRound.length]
      const tookMs = account && (await timeOf(account.email))
      if (pair >= 0 && tookMs !== undefined) account?.times.push(tookMs)
    }
  }
  const differencesTo = (values: readonly number[]) => values.map((value, pair) => value - (unknown[pair] ?? NaN))
  const differences = differencesTo(known)
  const difference = median(differences)
  const deviation = median(differences.map((value) => Math.abs(value - difference)))
  const baseline = Math.abs(median(differencesTo(otherUnknown)))
  const noise = Math.max(minDifferenceMs, baseline + maxStandardErrors * errorOfMedian(deviation, pairs))
  if (Math.abs(difference) > noise)
    failures.exceed(`known accounts differ by ${difference.toFixed(3)} ms, the noise is ${noise.toFixed(3)} ms`)
  return {
    name,
    tried: `${pairs} interleaved rounds of a known account and two unknown ones`,
    expected: `median difference at most that of two unknown accounts + ${maxStandardErrors} standard errors (from the median absolute deviation), or ${minDifferenceMs} ms`,
    found: `known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms, difference ${difference.toFixed(3)} ms, deviation ${deviation.toFixed(3)} ms, two unknown accounts ${baseline.toFixed(3)} ms, noise ${noise.toFixed(3)} ms`,
    failures: failures.lines(),
    exceeded: failures.exceeded(),
  }
}

export const logInTiming = (portal: AuditPortal, pairs: number): Promise<AuditResult> =>
  compareTimes(portal, pairs, {
    name: 'log-in timing',
    route: logIn,
    body: (personalEmail) => ({ personalEmail, password: 'Not-the-password-1' }),
    expectedStatus: 401,
  })

export const forgotPasswordTiming = (portal: AuditPortal, pairs: number): Promise<AuditResult> =>
  compareTimes(portal, pairs, {
    name: 'forgot-password timing',
    route: forgotPassword,
    body: (personalEmail) => ({ personalEmail }),
    expectedStatus: 200,
  })
