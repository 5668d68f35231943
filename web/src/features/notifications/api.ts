import {
  countUnread,
  getNotification,
  listNotifications,
  readAllNotifications,
  readNotification,
} from '@portal/contracts/notifications/http'
import { defaultPageSize } from '@portal/contracts/shared/page'
import { call } from '../../lib/http.ts'

/** A page of the inbox. A failure has words, always, and a list without entries. */
export const fetchPage = async (page: number, signal: AbortSignal) => {
  const answer = await call(listNotifications, { query: { page, limit: defaultPageSize }, signal })
  if (answer.success) return answer
  return { ...answer, message: answer.message || 'Failed to fetch notifications', notifications: [] }
}

export const fetchUnread = (signal: AbortSignal) => call(countUnread, { signal })

export const fetchNotification = (id: string, signal: AbortSignal) => call(getNotification, { params: { id }, signal })

export const markRead = (id: string) => call(readNotification, { params: { id } })

export const markAllRead = () => call(readAllNotifications, {})
