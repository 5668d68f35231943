import type { HistoryFilter } from '@portal/contracts/notifications/http'
import { dateInIndia } from '@portal/contracts/shared/india-time'
import { historyPath } from '../../../../../features/campaigns/history-query.ts'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import type { Health } from './health.ts'

/** 'work' is neither good nor bad. */
type Mood = 'good' | 'work' | 'bad' | 'unknown'
export type Sentence = { readonly mood: Mood; readonly text: string; readonly to?: string }

/** Reports data that only an operator can repair. The report lists its cases apart. */
const dataPart = 'continuity'

export const healthSentence = ({ parts, discontinuities, unreadableEvents }: Health): Sentence => {
  const down = Object.entries(parts).flatMap(([name, state]) =>
    state === 'down' && name !== dataPart ? [name.replaceAll('-', ' ')] : [],
  )
  if (down.length === 1) return { mood: 'bad', text: `1 service does not answer: ${down.join()}` }
  if (down.length > 1) return { mood: 'bad', text: `${down.length} services do not answer: ${down.join(', ')}` }
  if (parts[dataPart] === 'down' || discontinuities.length + unreadableEvents.length > 0)
    return { mood: 'bad', text: 'Some data is not up to date: run “make status” on the server' }
  return { mood: 'good', text: 'All services answer' }
}

/** Selects sends under way, also those of the portal itself, as the figures of the chart do. */
export const inFlightFilter: HistoryFilter = { source: 'all', status: 'pending' }

export const inFlightSentence = (sends: number): Sentence =>
  sends === 0
    ? { mood: 'good', text: 'No sends in flight' }
    : {
        mood: 'work',
        text: `${formatCount(sends)} ${sends === 1 ? 'send' : 'sends'} in flight`,
        to: historyPath(inFlightFilter),
      }

/** Today's sends with failed pushes. Days are in India Standard Time, as everywhere in the history. */
export const failedTodayFilter = (nowMs: number): HistoryFilter => ({
  source: 'all',
  status: 'failed',
  from: dateInIndia(nowMs),
})

/** `hasMore`: further sends have failed pushes that are not counted. */
export type FailedPushes = { readonly count: number; readonly hasMore: boolean; readonly filter: HistoryFilter }

export const failedTodaySentence = ({ count, hasMore, filter }: FailedPushes): Sentence =>
  count === 0
    ? { mood: 'good', text: 'No pushes failed today' }
    : {
        mood: 'bad',
        text: `${hasMore ? 'More than ' : ''}${formatCount(count)} ${count === 1 ? 'push' : 'pushes'} failed today`,
        to: historyPath(filter),
      }
