import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { UserId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { noTracing, type Span, type Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Logger } from 'pino'
import { createBucketQueues, createCoalescingQueue } from './coalescing-queues.ts'
import type { Channel, Connections, PortalServer } from './connections.ts'
import type { InboxReader, InboxState } from './ports.ts'
import { type Applied, createUntilApplied } from './progress.ts'
import type { Receipts } from './receipts.ts'

/** Users whose messages are followed for one message of the bus; that is enough to see where the time went. */
const tracedUsersPerMessage = 4

/**
 * The last step of a trace: from when a gateway hears that an inbox changed to when it has told the user's sockets. Nothing is
 * kept while tracing is off.
 */
const createSocketTraces = (tracing: Tracing) => {
  const waiting = new WeakMap<Channel, Span>()

  return {
    /** To be called for each channel that a message touches; undefined for a message without a trace. */
    of: (parent: string | undefined): ((channel: Channel) => void) | undefined => {
      if (parent === undefined || !tracing.isOn) return undefined
      let followed = 0
      return (channel) => {
        // One that waits already is told of both together, as part of the first one's trace.
        if (followed === tracedUsersPerMessage || waiting.has(channel)) return
        followed += 1
        const attributes = { userId: channel.userId }
        const span = tracing.start('tell sockets', { parent, kind: 'producer', attributes })
        if (span) waiting.set(channel, span)
      }
    },
    /** Whatever waits for this channel ends with it. */
    emitting: (event: string, channel: Channel, emit: () => void): void => {
      const span = tracing.isOn ? waiting.get(channel) : undefined
      emit()
      if (!span) return
      waiting.delete(channel)
      span.set({ event, sockets: channel.sockets.size, seq: channel.sent?.seq ?? 0 })
      span.end()
    },
  }
}

/** After a read that failed, or that was behind what the sockets know. */
const retryPauseMs = 1_000

type FeedDeps = {
  readonly io: PortalServer
  readonly connections: Connections
  readonly inbox: InboxReader
  readonly inboxApplied: Applied
  readonly receipts: Pick<Receipts, 'sent'>
  /** Called behind each message to a room: the place to look for clients that do not read. */
  afterEmit(channel: Channel): void
  readonly logger: Logger
  readonly tracing?: Tracing
}

/**
 * Tells connected users what changed in their inbox. The bus says *that* something changed; *what* is read from the read
 * model once it has applied that message, so a socket never shows what a page would not.
 *
 * Every message to a room starts right behind the one before. A socket that comes in is first told where its inbox stands (a
 * message without changes): a client that knows an older `seq` sees the gap and resumes.
 */
export const createInboxFeed = (deps: FeedDeps) => {
  const { io, connections, inbox, receipts, afterEmit, logger } = deps
  const state = createRunningState()
  const traces = createSocketTraces(deps.tracing ?? noTracing)

  const admitPending = (channel: Channel, { epoch, seq, unread }: InboxState): void => {
    for (const socket of channel.pendingConnections) {
      channel.pendingConnections.delete(socket)
      channel.sockets.add(socket)
      void socket.join(channel.userId)
      socket.emit('inbox:changed', { epoch, seq, unread, changes: [] })
    }
  }

  const tellRoom = (channel: Channel, answer: InboxResumed): void => {
    const { epoch, seq, unread } = answer
    // Too many changes, or another epoch: a message without changes, upon which each client resumes from where it is.
    const changes = 'reset' in answer ? [] : answer.changes
    // `local`, as each gateway hears the bus itself and tells its own.
    io.local.to(channel.userId).emit('inbox:changed', { epoch, seq, unread, changes })
    channel.sent = { epoch, seq }
    for (const change of changes) {
      if (change.kind === 'arrived') receipts.sent(change.notification._id, channel, { epoch, seq: change.seq })
    }
    afterEmit(channel)
  }

  /** Everyone may have left, and come back to a new channel, while a read was under way. */
  const isCurrent = (channel: Channel): boolean => connections.channelOf(channel.userId) === channel

  const bringUpToDate = async (channel: Channel): Promise<void> => {
    const { sent } = channel
    if (sent === undefined) {
      const head = await inbox.head(channel.userId)
      if (!isCurrent(channel)) return
      channel.sent = { epoch: head.epoch, seq: head.seq }
      admitPending(channel, head)
      return
    }
    const answer = await inbox.changesSince(channel.userId, sent.seq, sent.epoch)
    if (!isCurrent(channel)) return
    // The read model went back and is catching up: a new socket would be told less than its room has been.
    if (answer.epoch === sent.epoch && answer.seq < sent.seq) return retry(channel)
    const hasNews = answer.epoch !== sent.epoch || answer.seq > sent.seq
    if (hasNews) traces.emitting('inbox:changed', channel, () => tellRoom(channel, answer))
    admitPending(channel, answer)
  }

  const queue = createCoalescingQueue<Channel>(async (channel) => {
    try {
      await bringUpToDate(channel)
    } catch (error) {
      logger.error({ err: error }, 'The inbox could not be read for the sockets; trying again')
      retry(channel)
    }
  })

  const retry = (channel: Channel): void => {
    setTimeout(() => {
      if (!state.isStopped() && isCurrent(channel)) queue.add(channel)
    }, retryPauseMs).unref()
  }

  const waiting = createBucketQueues<Channel>({
    untilApplied: createUntilApplied({
      projection: 'inbox',
      applied: deps.inboxApplied,
      stopping: state.signal,
      logger,
    }),
    onApplied: queue.add,
    stopping: state.signal,
  })

  /** A switch to another numbering touches everyone, whether a message does or not. */
  const stopListening = inbox.onEpochChange(() => {
    for (const channel of connections.all()) queue.add(channel)
  })

  return {
    /** Something of this bucket changed for these users. Also keeps the position for users who connect later. */
    touched: (bucketName: string, position: string, userIds: readonly UserId[], traceparent?: string): void => {
      const follow = traces.of(traceparent)
      const channels = userIds.flatMap((userId) => connections.channelOf(userId) ?? [])
      for (const channel of channels) follow?.(channel)
      waiting.add(bucketName, channels, position)
    },
    /** Inboxes of these buckets changed without a message that was received here. */
    touchBuckets: (touched: ReadonlySet<string>): void => {
      if (touched.size === 0) return
      for (const channel of connections.all()) if (touched.has(channel.bucket)) queue.add(channel)
    },
    /** A socket came in; it is told once the projection has applied all that the feed has passed over. */
    onConnect: (channel: Channel): void => waiting.add(channel.bucket, [channel]),
    stop: async (): Promise<void> => {
      state.stop()
      stopListening()
      await queue.stop()
    },
  }
}
