import { randomUUID } from 'node:crypto'
import { authEventSchema } from '@portal/contracts/auth/events'
import { catalogEventSchema } from '@portal/contracts/catalog/events'
import type { EnrollmentChanged, EnrollmentEnded } from '@portal/contracts/catalog/socket'
import { notificationsEventSchema } from '@portal/contracts/notifications/events'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import type {
  DraftsChanged,
  HeldChanged,
  ProfileChanged,
  ScheduledChanged,
  TemplatesChanged,
} from '@portal/contracts/notifications/socket'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Bus, Subscription } from '@portal/platform/bus/port'
import type { Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Logger } from 'pino'
import { adminsRoom, createCampaignFeed } from './campaign-feed.ts'
import { createCatalogFeed } from './catalog-feed.ts'
import {
  type UserConnections,
  type Connections,
  type PortalServer,
  type PortalSocket,
  socketsOf,
} from './connections.ts'
import { createInboxProjectionWatcher } from './watch-inbox-projection.ts'
import { createInboxFeed } from './inbox-feed.ts'
import type { CampaignProgressReader, InboxReader } from './ports.ts'
import type { Progress } from './progress.ts'
import type { SeenCounter } from './seen-counter.ts'
import type { SessionGuard } from './sessions.ts'
import { createLearnersFeed } from './learners-feed.ts'
import { createUserFeed } from './user-feed.ts'

type FeedsDeps = {
  readonly io: PortalServer
  readonly connections: Connections
  readonly bus: Pick<Bus, 'hasReached'>
  readonly inbox: InboxReader
  readonly campaigns: CampaignProgressReader
  readonly progress: Progress
  readonly seenCounter: Pick<SeenCounter, 'sent'>
  /** Disconnects the user's clients that have stopped reading. */
  dropStuck(user: UserConnections): void
  readonly logger: Logger
  readonly tracing?: Tracing
}

/** Feeds that send changes to connected clients, each from its own bus messages. */
export const createFeeds = (deps: FeedsDeps) => {
  const { io, connections, bus, progress, dropStuck, logger } = deps
  const inboxFeed = createInboxFeed({ ...deps, ...progress, afterEmit: dropStuck })
  const hasAdmins = (): boolean => io.of('/').adapter.rooms.has(adminsRoom)
  const campaignFeed = createCampaignFeed({ ...deps, ...progress, hasAdmins })
  // The sweep finds clients that do not read broadcasts: checking all of them after each broadcast would cost more
  // than the broadcast.
  const catalogFeed = createCatalogFeed({
    broadcast: (message) => io.local.emit('catalog:changed', message),
    programsApplied: progress.programsApplied,
    logger,
  })
  const emitTo = (userId: UserId, emit: (socket: PortalSocket) => void): void => {
    const user = connections.ofUser(userId)
    if (!user) return
    for (const socket of socketsOf(user)) emit(socket)
    dropStuck(user)
  }
  const enrollmentFeed = createUserFeed<EnrollmentChanged | EnrollmentEnded>({
    projection: 'enrollments',
    applied: progress.enrollmentsApplied,
    emitToUser: (userId, message) =>
      emitTo(userId, (socket) => {
        if ('enrollment' in message) socket.emit('enrollment:changed', message)
        else socket.emit('enrollment:ended', message)
      }),
    logger,
  })
  const learnersFeed = createLearnersFeed({
    emitToAdmins: (programId) => io.local.to(adminsRoom).emit('learners:changed', { programId }),
    audienceApplied: progress.audienceApplied,
    learnerInvitationsApplied: progress.learnerInvitationsApplied,
    logger,
  })
  const heldFeed = createUserFeed<HeldChanged>({
    projection: 'inbox',
    applied: progress.inboxApplied,
    emitToUser: (userId, message) => emitTo(userId, (socket) => socket.emit('held:changed', message)),
    logger,
  })
  // All admins share this list and that of templates, whichever user a change is about.
  const scheduledFeed = createUserFeed<ScheduledChanged>({
    projection: 'inbox',
    applied: progress.inboxApplied,
    emitToUser: (_, message) => io.local.to(adminsRoom).emit('scheduled:changed', message),
    logger,
  })
  const draftsFeed = createUserFeed<DraftsChanged>({
    projection: 'drafts',
    applied: progress.draftsApplied,
    emitToUser: (userId, message) => emitTo(userId, (socket) => socket.emit('drafts:changed', message)),
    logger,
  })
  const templatesFeed = createUserFeed<TemplatesChanged>({
    projection: 'templates',
    applied: progress.templatesApplied,
    emitToUser: (_, message) => io.local.to(adminsRoom).emit('templates:changed', message),
    logger,
  })
  const profileFeed = createUserFeed<ProfileChanged>({
    projection: 'audience',
    applied: progress.audienceApplied,
    emitToUser: (userId, message) => emitTo(userId, (socket) => socket.emit('profile:changed', message)),
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
    learnersFeed,
    heldFeed,
    scheduledFeed,
    draftsFeed,
    templatesFeed,
    profileFeed,
    inboxProjection,
    stop: async (): Promise<void> => {
      catalogFeed.stop()
      enrollmentFeed.stop()
      learnersFeed.stop()
      heldFeed.stop()
      scheduledFeed.stop()
      draftsFeed.stop()
      templatesFeed.stop()
      profileFeed.stop()
      await Promise.all([inboxProjection.stop(), inboxFeed.stop(), campaignFeed.stop()])
    },
  }
}
type Feeds = ReturnType<typeof createFeeds>

const onNotifications = (feeds: Feeds, envelope: Envelope): void => {
  const { inboxFeed, campaignFeed, heldFeed, scheduledFeed, draftsFeed, templatesFeed } = feeds
  const { key, position, type, data, traceparent } = envelope
  const event = notificationsEventSchema.parse({ type, data })
  switch (event.type) {
    case 'CampaignSent':
    case 'CampaignPlanned':
      heldFeed.changed(
        event.data.sentBy,
        { notificationId: event.data.text.notificationId, state: 'sent' },
        key,
        position,
      )
      return campaignFeed.changed(event.data.text.notificationId, key, position)
    case 'CampaignHeld':
    case 'CampaignTakenBack': {
      const { notificationId, sentBy } = event.data
      const state = event.type === 'CampaignHeld' ? 'held' : 'taken-back'
      return heldFeed.changed(sentBy, { notificationId, state }, key, position)
    }
    case 'SendScheduled':
    case 'ScheduledSendChanged':
    case 'ScheduledSendDiscarded':
    case 'ScheduledSendMissed':
      return scheduledFeed.changed(portalSender, { notificationId: event.data.notificationId }, key, position)
    case 'DraftSaved':
    case 'DraftDiscarded':
      return draftsFeed.changed(event.data.userId, { draftId: event.data.draftId }, key, position)
    case 'TemplateCreated':
    case 'TemplateChanged':
    case 'TemplateDeleted':
    case 'TemplateUsed':
      return templatesFeed.changed(portalSender, { templateId: event.data.templateId }, key, position)
    case 'RecipientsWithheld':
    case 'RecipientsResent':
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'RecipientsTargeted':
      inboxFeed.inboxesChanged(key, position, event.data.userIds, traceparent)
      return campaignFeed.changed(event.data.text.notificationId, key, position)
    case 'EntriesWithdrawn':
      inboxFeed.inboxesOfBucketChanged(key, position, traceparent)
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'RecipientsPostponed':
    case 'RecipientsSettled':
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'NotificationRead':
      inboxFeed.inboxesChanged(key, position, [event.data.userId], traceparent)
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'ButtonClicked':
      return campaignFeed.changed(event.data.notificationId, key, position)
    case 'NotificationMarkedUnread':
    case 'AllNotificationsRead':
      return inboxFeed.inboxesChanged(key, position, [event.data.userId], traceparent)
    case 'ArrivalsCovered':
      return campaignFeed.anyChanged(key, position)
    case 'UnseenMailSent':
      for (const id of event.data.notificationIds) campaignFeed.changed(id, key, position)
      return undefined
    case 'DeliveryStopped':
    case 'TextErased':
    case 'CancelRequested':
    case 'ResendRequested':
    case 'CampaignRecalled':
    case 'RecipientsExported':
    case 'AuditExported':
    case 'PeopleExported':
    case 'LearnersExported':
    case 'OperationRun':
    case 'PushTokenRegistered':
    case 'PushTokenUsed':
    case 'PushTokenRevoked':
    case 'PushTokenRemoved':
    case 'PreferencesChanged':
      return undefined
    default:
      return event satisfies never
  }
}

const onAuth = (sessionGuard: SessionGuard, { profileFeed }: Feeds, { key, position, type, data }: Envelope): void => {
  // Skip other auth events without parsing them.
  if (type !== 'SessionEnded' && type !== 'UserErased' && type !== 'UserProfileChanged') return
  const event = authEventSchema.parse({ type, data })
  if (event.type === 'SessionEnded') {
    sessionGuard.sessionEnded(event.data.sessionId, event.data.userId, event.data.reason)
  } else if (event.type === 'UserErased') {
    sessionGuard.userErased(event.data.userId)
  } else if (event.type === 'UserProfileChanged') {
    const { userId } = event.data
    profileFeed.changed(userId, { userId }, key, position)
  }
}

/** Events carry the full state, so neither the gateway nor its clients need to read it. */
const onCatalog = (feeds: Feeds, { key, position, type, data }: Envelope): void => {
  const { catalogFeed, enrollmentFeed, learnersFeed } = feeds
  const event = catalogEventSchema.parse({ type, data })
  switch (event.type) {
    case 'ProgramSaved':
      return catalogFeed.changed({ kind: 'program-saved', program: event.data.program }, key, position)
    case 'ProgramRemoved':
      return catalogFeed.changed({ kind: 'program-removed', ...event.data }, key, position)
    case 'LearnerEnrolled': {
      const { userId, movedFrom: _, ...enrollment } = event.data
      learnersFeed.changed(enrollment.programId, key, position)
      return enrollmentFeed.changed(userId, { enrollment: { ...enrollment, withdrawnAt: null } }, key, position)
    }
    case 'EnrollmentChanged': {
      const { userId, enrollment } = event.data
      learnersFeed.changed(enrollment.programId, key, position)
      return enrollmentFeed.changed(userId, { enrollment: { ...enrollment, withdrawnAt: null } }, key, position)
    }
    case 'EnrollmentEnded': {
      const { userId, programId } = event.data
      learnersFeed.changed(programId, key, position)
      return enrollmentFeed.changed(userId, { programId }, key, position)
    }
    case 'LearnerInvited':
    case 'LearnerInvitationResent':
    case 'LearnerInvitationWithdrawn':
    case 'LearnerInvitationAccepted':
    case 'LearnerInvitationExpired':
      return learnersFeed.changed(event.data.programId, key, position)
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
 * Consumes the changes that concern connected users, starting now. Handlers only queue notifications and never wait
 * or fail, so a slow read or client never delays the bus.
 */
export const consumeBus = async ({ bus, feeds, sessionGuard, logger }: ConsumerDeps): Promise<Subscription> => {
  const onMessage = (envelope: Envelope): void => {
    try {
      if (envelope.topic === 'notifications') onNotifications(feeds, envelope)
      else if (envelope.topic === 'auth') onAuth(sessionGuard, feeds, envelope)
      else onCatalog(feeds, envelope)
    } catch (error) {
      // For example, a message from a newer version. Projections keep it as a dead letter; sockets can skip it.
      logger.error(
        { err: error, type: envelope.type, position: envelope.position },
        'bus message could not be handled, skipping it',
      )
    }
  }

  let subscription: Subscription | undefined
  subscription = await bus.consume({
    // A unique group per process, so that each gateway gets every message.
    group: `gateway-${randomUUID()}`,
    topics: ['notifications', 'auth', 'catalog'],
    // Earlier messages are or will be in the read model; the projection watcher covers them.
    startAt: 'now',
    // The bus has lost messages.
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
