import { randomUUID } from 'node:crypto'
import { authEventSchema } from '@portal/contracts/auth/events'
import { catalogEventSchema } from '@portal/contracts/catalog/events'
import { notificationsEventSchema } from '@portal/contracts/notifications/events'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Subscription } from '@portal/platform/bus/port'
import type { Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Logger } from 'pino'
import { adminsRoom, createCampaignFeed } from './campaign-feed.ts'
import { createCatalogFeed } from './catalog-feed.ts'
import { type UserConnections, type Connections, type PortalServer, socketsOf } from './connections.ts'
import { createEnrollmentFeed } from './enrollment-feed.ts'
import { createInboxProjectionWatcher } from './watch-inbox-projection.ts'
import { createInboxFeed } from './inbox-feed.ts'
import type { CampaignProgressReader, InboxReader } from './ports.ts'
import type { Progress } from './progress.ts'
import type { Receipts } from './receipts.ts'
import type { SessionGuard } from './sessions.ts'

type Deps = {
  readonly io: PortalServer
  readonly connections: Connections
  readonly bus: Pick<Bus, 'hasReached'>
  readonly inbox: InboxReader
  readonly campaigns: CampaignProgressReader
  readonly progress: Progress
  readonly receipts: Pick<Receipts, 'sent'>
  /** Disconnects the clients of a channel that have stopped reading. */
  dropStuck(user: UserConnections): void
  readonly logger: Logger
  readonly tracing?: Tracing
}

/** What is sent to connected clients, each feed from its own messages of the bus. */
export const createFeeds = (deps: Deps) => {
  const { io, connections, bus, progress, dropStuck, logger } = deps
  const inboxFeed = createInboxFeed({ ...deps, ...progress, afterEmit: dropStuck })
  const hasAdmins = (): boolean => io.of('/').adapter.rooms.has(adminsRoom)
  const campaignFeed = createCampaignFeed({ ...deps, ...progress, hasAdmins })
  // Who does not read what everybody is told is found by the sweep: looking at all of them each time would cost more than it.
  const catalogFeed = createCatalogFeed({
    broadcast: (message) => io.local.emit('catalog:changed', message),
    programsApplied: progress.programsApplied,
    logger,
  })
  const enrollmentFeed = createEnrollmentFeed({
    emitToUser: (userId, message) => {
      const user = connections.ofUser(userId)
      if (!user) return
      for (const socket of socketsOf(user)) socket.emit('enrollment:changed', message)
      dropStuck(user)
    },
    enrollmentsApplied: progress.enrollmentsApplied,
    logger,
  })
  const inboxProjection = createInboxProjectionWatcher({
    bus,
    progress: progress.inboxProgress,
    onBucketsChanged: inboxFeed.bucketsChanged,
    logger,
  })

  return {
    inboxFeed,
    campaignFeed,
    catalogFeed,
    enrollmentFeed,
    inboxProjection,
    stop: async (): Promise<void> => {
      catalogFeed.stop()
      enrollmentFeed.stop()
      await Promise.all([inboxProjection.stop(), inboxFeed.stop(), campaignFeed.stop()])
    },
  }
}
type Feeds = ReturnType<typeof createFeeds>

const onNotifications = ({ inboxFeed, campaignFeed }: Feeds, envelope: Envelope): void => {
  const { key, position, type, data, traceparent } = envelope
  const event = notificationsEventSchema.parse({ type, data })
  switch (event.type) {
    case 'CampaignSent':
      return campaignFeed.changed(event.data.text.notificationId, key, position)
    case 'RecipientsTargeted':
      inboxFeed.inboxesChanged(key, position, event.data.userIds, traceparent)
      return campaignFeed.changed(event.data.text.notificationId, key, position)
    case 'RecipientsSettled':
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'NotificationRead':
      inboxFeed.inboxesChanged(key, position, [event.data.userId], traceparent)
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'AllNotificationsRead':
      return inboxFeed.inboxesChanged(key, position, [event.data.userId], traceparent)
    case 'ArrivalsCovered':
      return campaignFeed.anyChanged(key, position)
    case 'PushTokenRegistered':
    case 'PushTokenRemoved':
      return undefined
    default:
      return event satisfies never
  }
}

const onAuth = (sessionGuard: SessionGuard, { type, data }: Envelope): void => {
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
const onCatalog = ({ catalogFeed, enrollmentFeed }: Feeds, { key, position, type, data }: Envelope): void => {
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
    default:
      return event satisfies never
  }
}

type ConsumerDeps = {
  readonly bus: Bus
  readonly feeds: Feeds
  readonly sessionGuard: SessionGuard
  readonly logger: Logger
}

/**
 * Consumes what concerns connected users, from now on. Nothing here waits or fails: a message only marks whom to tell, so the
 * bus is never held up by a slow read or a slow client.
 */
export const consumeBus = async ({ bus, feeds, sessionGuard, logger }: ConsumerDeps): Promise<Subscription> => {
  const onMessage = (envelope: Envelope): void => {
    try {
      if (envelope.topic === 'notifications') onNotifications(feeds, envelope)
      else if (envelope.topic === 'auth') onAuth(sessionGuard, envelope)
      else onCatalog(feeds, envelope)
    } catch (error) {
      // A message of a newer portal, say. The projections park it; sockets have nothing to make good.
      logger.error({ err: error, type: envelope.type, position: envelope.position }, 'A message was passed over')
    }
  }

  let subscription: Subscription | undefined
  subscription = await bus.consume({
    // A name of this process's own: each gateway gets every message.
    group: `gateway-${randomUUID()}`,
    topics: ['notifications', 'auth', 'catalog'],
    // What lies before is in the read model, or will be: the follower of its projection sees to it that clients get it.
    startAt: 'now',
    // Messages were lost with the bus.
    onGap: () => {
      feeds.inboxProjection.watchAfterGap(() => subscription?.startedAt ?? {})
      feeds.campaignFeed.onConnect()
    },
    loadCursors: () => Promise.resolve({}),
    handle: (deliveries) => {
      for (const { envelope } of deliveries) onMessage(envelope)
      return Promise.resolve()
    },
  })
  feeds.inboxProjection.watchUntil(subscription.startedAt)
  return subscription
}
