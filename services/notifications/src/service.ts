import type { MailSender, PushSender } from '@portal/platform/outbound/port'
import type { ServiceDefinition } from '@portal/platform/runtime/service'
import { buildNotifications, type NotificationsService } from './app.ts'
import type { TestPush } from './device/test-push.ts'
import type { HasMailServer } from './preferences/mail-server.ts'
import type { SeenCounter } from './seen-reports.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'
import { timingsOf } from './timings.ts'
import { emailOf } from './unseen-mail/build-unseen-mail.ts'
import { createUnsubscribeTokens } from './unseen-mail/unsubscribe-token.ts'

type NotificationsLinks = {
  /** Counts seen reports of open tabs. */
  readonly seenCounter: SeenCounter
  /** The public key with which browsers subscribe to Web Push. */
  readonly pushKey: string
  /** Set in the one process of a portal that delivers. */
  readonly delivery?: { readonly push: PushSender; readonly mail: MailSender }
  /** Signs the tokens that end e-mails about notifications. */
  readonly unsubscribeKey: Uint8Array
  /** Both ask the process that delivers, if that is another one. */
  readonly testPush?: TestPush
  readonly hasMailServer?: HasMailServer
}

export const notificationsService: ServiceDefinition<NotificationsLinks, NotificationsService> = {
  name: 'notifications',
  publishers: notificationsPublishers,
  projections: notificationsProjections,
  build: (host, { delivery, unsubscribeKey, ...links }) => {
    const { config } = host
    const unsubscribeTokens = createUnsubscribeTokens(unsubscribeKey)
    return buildNotifications({
      ...host,
      ...links,
      ...(delivery && {
        delivery: { push: delivery.push, email: emailOf(config, { mail: delivery.mail, unsubscribeTokens }) },
      }),
      unsubscribeTokens,
      timings: timingsOf(config),
      pushClient: config.pushClient,
      hasMailServer: links.hasMailServer ?? (async () => config.outbound.smtpUrl !== undefined),
    })
  },
}
