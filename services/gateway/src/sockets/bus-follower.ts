import { authEventSchema } from '@portal/contracts/auth/events'
import { catalogEventSchema } from '@portal/contracts/catalog/events'
import { notificationsEventSchema } from '@portal/contracts/notifications/events'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Subscription } from '@portal/platform/bus/port'
import type { Logger } from 'pino'
import type { CampaignFeed } from './campaign-feed.ts'
import type { CatalogFeed } from './catalog-feed.ts'
import type { EnrollmentFeed } from './enrollment-feed.ts'
import type { InboxFeed } from './inbox-feed.ts'
import type { SessionGuard } from './sessions.ts'

type FollowerDeps = {
  readonly bus: Bus
  /** A name of this process's own: each gateway sees every message. */
  readonly group: string
  readonly inboxFeed: InboxFeed
  readonly campaignFeed: CampaignFeed
  readonly catalogFeed: CatalogFeed
  readonly enrollmentFeed: EnrollmentFeed
  readonly sessionGuard: SessionGuard
  /** Messages were lost with the bus. */
  onGap(): void
  readonly logger: Logger
}

/**
 * Hears on the bus what concerns connected users. Nothing here waits or fails: a message only marks whom to tell, so the
 * bus is never held up by a slow read or a slow client.
 */
export const followBus = (deps: FollowerDeps): Promise<Subscription> => {
  const { bus, group, inboxFeed, campaignFeed, catalogFeed, enrollmentFeed, sessionGuard, onGap, logger } = deps

  const onNotifications = ({ key, position, type, data, traceparent }: Envelope): void => {
    const event = notificationsEventSchema.parse({ type, data })
    switch (event.type) {
      case 'CampaignSent':
        return campaignFeed.changed(event.data.text.notificationId, key, position)
      case 'RecipientsTargeted':
        inboxFeed.touched(key, position, event.data.userIds, traceparent)
        return campaignFeed.changed(event.data.text.notificationId, key, position)
      case 'RecipientsSettled':
        return campaignFeed.changed(event.data.notificationId, key, position)
      case 'NotificationRead':
        inboxFeed.touched(key, position, [event.data.userId], traceparent)
        return campaignFeed.changed(event.data.notificationId, key, position)
      case 'AllNotificationsRead':
        return inboxFeed.touched(key, position, [event.data.userId], traceparent)
      case 'ArrivalsCovered':
        return campaignFeed.anyChanged(key, position)
      case 'PushTokenRegistered':
      case 'PushTokenRemoved':
        return undefined
    }
  }

  const onAuth = ({ type, data }: Envelope): void => {
    // Most of what auth says is of no concern here, and need not be looked at.
    if (type !== 'SessionEnded' && type !== 'UserErased') return
    const event = authEventSchema.parse({ type, data })
    if (event.type === 'SessionEnded') {
      sessionGuard.sessionEnded(event.data.sessionId, event.data.userId, event.data.reason)
    } else if (event.type === 'UserErased') {
      sessionGuard.userErased(event.data.userId)
    }
  }

  /** Told whole, so that neither this process nor its clients have to ask. */
  const onCatalog = ({ key, position, type, data }: Envelope): void => {
    const event = catalogEventSchema.parse({ type, data })
    switch (event.type) {
      case 'ProgramSaved':
        return catalogFeed.changed({ kind: 'program-saved', program: event.data.program }, key, position)
      case 'ProgramRemoved':
        return catalogFeed.changed({ kind: 'program-removed', ...event.data }, key, position)
      case 'LearnerEnrolled': {
        const { userId, ...enrollment } = event.data
        return enrollmentFeed.changed(userId, { enrollment: { ...enrollment, withdrawnAt: null } }, key, position)
      }
      case 'UniversityAdded':
      case 'UniversityRenamed':
      case 'UniversityRemoved':
        return undefined
    }
  }

  const hear = (envelope: Envelope): void => {
    try {
      if (envelope.topic === 'notifications') onNotifications(envelope)
      else if (envelope.topic === 'auth') onAuth(envelope)
      else onCatalog(envelope)
    } catch (error) {
      // A message of a newer portal, say. The projections park it; sockets have nothing to make good.
      logger.error({ err: error, type: envelope.type, position: envelope.position }, 'A message was passed over')
    }
  }

  return bus.consume({
    group,
    topics: ['notifications', 'auth', 'catalog'],
    // What lies before is in the read model, or will be: the follower of its projection sees to it that clients get it.
    startAt: 'now',
    onGap,
    loadCursors: () => Promise.resolve({}),
    handle: (deliveries) => {
      for (const { envelope } of deliveries) hear(envelope)
      return Promise.resolve()
    },
  })
}
