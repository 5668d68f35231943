import { listUniversities } from '@portal/contracts/catalog/http'
import { listRecentNotifications } from '@portal/contracts/notifications/http'
import { loadUsers } from '../../../features/users/api.ts'
import { call, type Answer } from '../../../lib/http.ts'

const counted = <T>(answer: Answer<T>, count: (data: T) => number): Answer<number> =>
  answer.success ? { success: true, data: count(answer.data) } : answer

export const countUniversities = async (signal: AbortSignal) =>
  counted(await call(listUniversities, { signal }), (universities) => universities.length)

export const countUsers = async (signal: AbortSignal) => counted(await loadUsers(signal), ({ users }) => users.length)

const recentShown = 5

export const fetchRecent = (signal: AbortSignal) =>
  call(listRecentNotifications, { query: { page: 1, limit: recentShown }, signal })
