import { listUniversities } from '@portal/contracts/catalog/http'
import { getActivity, listRecentNotifications } from '@portal/contracts/notifications/http'
import { loadPrograms } from '../../../../features/programs/admin/api.ts'
import { loadUsers } from '../../../../features/users/api.ts'
import { call, type Answer } from '../../../../lib/http.ts'
import { activityDays } from './activity/activity.ts'

const counted = <T>(answer: Answer<T>, count: (data: T) => number): Answer<number> =>
  answer.success ? { success: true, data: count(answer.data) } : answer

export const countUniversities = async (signal: AbortSignal) =>
  counted(await call(listUniversities, { signal }), (universities) => universities.length)

export const countUsers = async (signal: AbortSignal) => counted(await loadUsers(signal), ({ users }) => users.length)

export const countPrograms = async (signal: AbortSignal) =>
  counted(await loadPrograms(signal), (programs) => programs.length)

export const fetchActivity = (signal: AbortSignal) => call(getActivity, { query: { days: activityDays }, signal })

export const recentShown = 5

export const fetchRecent = (signal: AbortSignal) =>
  call(listRecentNotifications, { query: { page: 1, limit: recentShown }, signal })
