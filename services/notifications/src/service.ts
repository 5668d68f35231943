import type { PushSender } from '@portal/platform/outbound/port'
import type { ServiceDefinition } from '@portal/platform/runtime/service'
import type { Config } from '@portal/platform/settings/config'
import { buildNotifications, type NotificationsService } from './app.ts'
import type { SeenReceipts } from './delivery/seen-receipts.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'
import { defaultTimings, type NotificationTimings } from './timings.ts'

export const timingsOf = ({ seenGraceMs, sendWaitMs, pushMaxAgeMs }: Config): NotificationTimings => ({
  ...defaultTimings,
  graceMs: seenGraceMs,
  receiptTimeoutMs: sendWaitMs,
  pushMaxAgeMs,
})

type NotificationsLinks = {
  /** What the open tabs report as seen. */
  readonly receipts: SeenReceipts
  /** For a process that also delivers; exactly one process of a portal does. */
  readonly delivery?: { readonly push: PushSender }
}

export const notificationsService: ServiceDefinition<NotificationsLinks, NotificationsService> = {
  name: 'notifications',
  publishers: notificationsPublishers,
  projections: notificationsProjections,
  build: (host, links) => {
    const { config } = host
    return buildNotifications({ ...host, ...links, timings: timingsOf(config), pushClient: config.pushClient })
  },
}
