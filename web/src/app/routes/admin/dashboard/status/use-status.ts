import { listRecentNotifications } from '@portal/contracts/notifications/http'
import { limits } from '@portal/contracts/shared/rules'
import { useEffect } from 'react'
import { call, type Answer } from '../../../../../lib/http.ts'
import { useRequestQuery, type LoadState } from '../../../../../lib/query.ts'
import { serverNowMs } from '../../../../../lib/server-clock.ts'
import { useProgressRefresh } from '../use-progress-refresh.ts'
import { loadHealth } from './health.ts'
import {
  failedTodayFilter,
  failedTodaySentence,
  healthSentence,
  inFlightFilter,
  inFlightSentence,
  type FailedPushes,
  type Sentence,
} from './sentences.ts'

const countInFlight = async (signal: AbortSignal): Promise<Answer<number>> => {
  const answer = await call(listRecentNotifications, { query: { ...inFlightFilter, page: 1, limit: 1 }, signal })
  return answer.success ? { success: true, data: answer.data.pagination.total } : answer
}

const countFailedToday = async (signal: AbortSignal): Promise<Answer<FailedPushes>> => {
  const filter = failedTodayFilter(serverNowMs())
  const query = { ...filter, page: 1, limit: limits.pageSize }
  const answer = await call(listRecentNotifications, { query, signal })
  if (!answer.success) return answer
  const { notifications, pagination } = answer.data
  const count = notifications.reduce((sum, item) => sum + ('progress' in item ? item.progress.failed : 0), 0)
  return { success: true, data: { count, hasMore: pagination.total > notifications.length, filter } }
}

const healthIntervalMs = 30_000

/** Asks again while somebody looks at the page. */
const useInterval = (everyMs: number, act: () => unknown) => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void act()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, act])
}

/** What the dashboard says about a request; undefined while it loads. */
const sentenceOf = <T>(state: LoadState<T>, what: string, say: (data: T) => Sentence): Sentence | undefined => {
  if (state.kind === 'loading') return undefined
  return state.kind === 'failed' ? { mood: 'unknown', text: `${what}: unknown` } : say(state.data)
}

const useLoggedFailure = (state: LoadState<unknown>, what: string) => {
  const message = state.kind === 'failed' ? state.failure.message : undefined
  useEffect(() => {
    if (message !== undefined) console.error(`Checking ${what} failed`, message)
  }, [message, what])
}

/** Whether all is well, in three sentences. */
export const useStatus = (): readonly { readonly name: string; readonly sentence: Sentence | undefined }[] => {
  const health = useRequestQuery({ key: ['health'], request: loadHealth })
  const inFlight = useRequestQuery({ key: ['sends-in-flight'], request: countInFlight })
  const failed = useRequestQuery({ key: ['failed-today'], request: countFailedToday })
  useInterval(healthIntervalMs, health.refresh)
  useProgressRefresh(inFlight.refresh)
  useProgressRefresh(failed.refresh)
  useLoggedFailure(health.state, 'the services')
  useLoggedFailure(inFlight.state, 'the sends in flight')
  useLoggedFailure(failed.state, 'the failed pushes')
  return [
    { name: 'services', sentence: sentenceOf(health.state, 'Services', healthSentence) },
    { name: 'in-flight', sentence: sentenceOf(inFlight.state, 'Sends in flight', inFlightSentence) },
    { name: 'failed', sentence: sentenceOf(failed.state, 'Failed pushes today', failedTodaySentence) },
  ]
}
