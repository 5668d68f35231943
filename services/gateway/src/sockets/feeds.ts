import type { Bus } from '@portal/platform/bus/port'
import type { Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Logger } from 'pino'
import { adminsRoom, createCampaignFeed } from './campaign-feed.ts'
import { createCatalogFeed } from './catalog-feed.ts'
import { type Channel, type Connections, type PortalServer, socketsOf } from './connections.ts'
import { createEnrollmentFeed } from './enrollment-feed.ts'
import { createInboxProjectionFollower } from './follow-inbox-projection.ts'
import { createInboxFeed } from './inbox-feed.ts'
import type { CampaignProgressReader, InboxReader, Progress } from './ports.ts'
import type { Receipts } from './receipts.ts'

type Deps = {
  readonly io: PortalServer
  readonly connections: Connections
  readonly bus: Pick<Bus, 'hasReached'>
  readonly inbox: InboxReader
  readonly campaigns: CampaignProgressReader
  readonly progress: Progress
  readonly receipts: Pick<Receipts, 'sent'>
  /** Disconnects the clients of a channel that have stopped reading. */
  dropStuck(channel: Channel): void
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
    tellAll: (message) => io.local.emit('catalog:changed', message),
    programsApplied: progress.programsApplied,
    logger,
  })
  const enrollmentFeed = createEnrollmentFeed({
    tell: (userId, message) => {
      const channel = connections.channelOf(userId)
      if (!channel) return
      for (const socket of socketsOf(channel)) socket.emit('enrollment:changed', message)
      dropStuck(channel)
    },
    enrollmentsApplied: progress.enrollmentsApplied,
    logger,
  })
  const inboxProjection = createInboxProjectionFollower({
    bus,
    progress: progress.inboxProgress,
    touchBuckets: inboxFeed.touchBuckets,
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
