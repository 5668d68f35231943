import {
  countUnread,
  getNotification,
  listNotifications,
  readAllNotifications,
  readNotification,
} from '@portal/contracts/notifications/http'
import { defaultPageSize } from '@portal/contracts/shared/page'
import { call } from '../../lib/http.ts'

export const fetchPage = (page: number, signal: AbortSignal) =>
  call(listNotifications, { query: { page, limit: defaultPageSize }, signal })

export const fetchUnread = (signal: AbortSignal) => call(countUnread, { signal })

export const fetchNotification = (id: string, signal: AbortSignal) => call(getNotification, { params: { id }, signal })

export const markRead = (id: string) => call(readNotification, { params: { id } })

export const markAllRead = () => call(readAllNotifications, {})
