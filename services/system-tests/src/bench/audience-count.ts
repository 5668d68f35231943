import type { Audience } from '@portal/contracts/notifications/audience'
import { countAudience, getAudienceChoices, listPeople } from '@portal/contracts/notifications/http'
import { learnerSorts, listLearners } from '@portal/contracts/notifications/learners'
import { callRoute } from '../testing/api-client.ts'
import type { BenchPortal } from './bench-portal.ts'
import { type Comparison, measureLatencies, quantile, type Scale } from './measure.ts'

/** Of a page of learners. */
const pageTargetMs = 50
const rounds = 3

/** Counts the rules that the send form offers, one after the other, searches its list of users, and opens the list of a program's learners in each order. */
export const benchAudienceCount = async (portal: BenchPortal, scale: Scale): Promise<Comparison[]> => {
  const { address, adminToken: token } = portal
  const { programs, universities } = await callRoute(address, getAudienceChoices, { token })
  const rules: readonly Audience[] = [
    { everyone: true },
    { roles: ['student'] },
    { paymentStatuses: ['Pending'] },
    { programIds: programs.slice(0, 2).map(({ programId }) => programId), paymentStatuses: ['Completed'] },
    { universityNames: universities.slice(0, 3).map(({ name }) => name), roles: ['student'] },
  ]
  let next = 0
  const count = () => {
    const audience = rules[next++ % rules.length] ?? {}
    return callRoute(address, countAudience, { token, body: { audience } })
  }
  const search = () => callRoute(address, listPeople, { token, body: { audience: { everyone: true }, q: 'learner' } })

  const [largest] = programs.toSorted((a, b) => b.count - a.count)
  let sorted = 0
  const page = () => {
    const query = { sort: learnerSorts[sorted++ % learnerSorts.length] ?? 'name', limit: 50 }
    return callRoute(address, listLearners, { token, params: { id: largest?.programId ?? '' }, query })
  }

  const measure = async (name: string, work: () => Promise<unknown>, targetMs = 300): Promise<Comparison> => {
    const slowest: number[] = []
    for (let round = 0; round < rounds; round++)
      slowest.push(quantile(await measureLatencies(scale.roundMs, work), 0.99))
    const limit = slowest.map(() => targetMs)
    return { name, limitName: 'target', unit: 'ms', portal: slowest, limit, reach: { atMost: 1 } }
  }
  const users = `${scale.audienceLearners.toLocaleString('en')} users`
  const learners = `${(largest?.count ?? 0).toLocaleString('en')} learners of a program`
  return [
    await measure(`count of a rule at ${users}, p99`, count),
    await measure(`search in ${users}, p99`, search),
    await measure(`page of ${learners} among ${users}, p99`, page, pageTargetMs),
  ]
}
