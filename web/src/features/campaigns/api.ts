import { listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import { defaultPageSize } from '@portal/contracts/shared/page'
import { call, type CallInput } from '../../lib/http.ts'

export const loadSends = (page: number, signal: AbortSignal) =>
  call(listRecentNotifications, { query: { page, limit: defaultPageSize }, signal })

export type SendBody = CallInput<typeof sendNotification>['body']

export const send = (body: SendBody, idempotencyKey: string) =>
  call(sendNotification, { body, headers: { [idempotencyKeyHeader]: idempotencyKey } })
