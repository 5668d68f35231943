import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { UserId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { noTracing, type Span, type Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Logger } from 'pino'
import { createBucketQueues, createCoalescingQueue } from './coalescing-queues.ts'
import type { UserConnections, Connections, PortalServer } from './connections.ts'
import type { InboxReader, InboxState } from './ports.ts'
import { type Applied, createWaitUntilApplied } from './progress.ts'
import type { Receipts } from './receipts.ts'

/** Users whose messages are followed for one message of the bus; that is enough to see where the time went. */
const tracedUsersPerMessage = 4

/**
 * The last step of a trace: from when a gateway hears that an inbox changed to when it has told the user's sockets. Nothing is
 * kept while tracing is off.
 */
const createEmitTraces = (tracing: Tracing) => {
  const waiting = new WeakMap<UserConnections, Span>()

  return {
    /** To be called for each channel that a message touches; undefined for a message without a trace. */
    of: (parent: string | undefined): ((user: UserConnections) => void) | undefined => {
      if (parent === undefined || !tracing.isOn) return undefined
      let followed = 0
      return (user) => {
        // One that waits already is told of both together, as part of the first one's trace.
        if (followed === tracedUsersPerMessage || waiting.has(user)) return
        followed += 1
        const attributes = { userId: user.userId }
        const span = tracing.start('tell sockets', { parent, kind: 'producer', attributes })
        if (span) waiting.set(user, span)
      }
    },
    /** Whatever waits for this channel ends with it. */
    emitting: (event: string, user: UserConnections, emit: () => void): void => {
      const span = tracing.isOn ? waiting.get(user) : undefined
      emit()
      if (!span) return
      waiting.delete(user)
      span.set({ event, sockets: user.sockets.size, seq: user.sent?.seq ?? 0 })
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
  afterEmit(user: UserConnections): void
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
  const traces = createEmitTraces(deps.tracing ?? noTracing)

  const admitPending = (user: UserConnections, { epoch, seq, unread }: InboxState): void => {
    for (const socket of user.pendingConnections) {
      user.pendingConnections.delete(socket)
      user.sockets.add(socket)
      void socket.join(user.userId)
      socket.emit('inbox:changed', { epoch, seq, unread, changes: [] })
    }
  }

  const emitToRoom = (user: UserConnections, answer: InboxResumed): void => {
    const { epoch, seq, unread } = answer
    // Too many changes, or another epoch: a message without changes, upon which each client resumes from where it is.
    const changes = 'reset' in answer ? [] : answer.changes
    // `local`, as each gateway hears the bus itself and tells its own.
    io.local.to(user.userId).emit('inbox:changed', { epoch, seq, unread, changes })
    user.sent = { epoch, seq }
    for (const change of changes) {
      if (change.kind === 'arrived') receipts.sent(change.notification._id, user, { epoch, seq: change.seq })
    }
    afterEmit(user)
  }

  /** Everyone may have left, and come back to a new channel, while a read was under way. */
  const isCurrent = (user: UserConnections): boolean => connections.ofUser(user.userId) === user

  const sendChanges = async (user: UserConnections): Promise<void> => {
    const { sent } = user
    if (sent === undefined) {
      const head = await inbox.head(user.userId)
      if (!isCurrent(user)) return
      user.sent = { epoch: head.epoch, seq: head.seq }
      admitPending(user, head)
      return
    }
    const answer = await inbox.changesSince(user.userId, sent.seq, sent.epoch)
    if (!isCurrent(user)) return
    // The read model went back and is catching up: a new socket would be told less than its room has been.
    if (answer.epoch === sent.epoch && answer.seq < sent.seq) return retry(user)
    const hasNews = answer.epoch !== sent.epoch || answer.seq > sent.seq
    if (hasNews) traces.emitting('inbox:changed', user, () => emitToRoom(user, answer))
    admitPending(user, answer)
  }

  const queue = createCoalescingQueue<UserConnections>(async (user) => {
    try {
      await sendChanges(user)
    } catch (error) {
      logger.error({ err: error }, 'The inbox could not be read for the sockets; trying again')
      retry(user)
    }
  })

  const retry = (user: UserConnections): void => {
    setTimeout(() => {
      if (!state.isStopped() && isCurrent(user)) queue.add(user)
    }, retryPauseMs).unref()
  }

  const waiting = createBucketQueues<UserConnections>({
    waitUntilApplied: createWaitUntilApplied({
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
    for (const user of connections.all()) queue.add(user)
  })

  return {
    /** Something of this bucket changed for these users. Also keeps the position for users who connect later. */
    inboxesChanged: (bucketName: string, position: string, userIds: readonly UserId[], traceparent?: string): void => {
      const follow = traces.of(traceparent)
      const users = userIds.flatMap((userId) => connections.ofUser(userId) ?? [])
      for (const user of users) follow?.(user)
      waiting.add(bucketName, users, position)
    },
    /** Inboxes of these buckets changed without a message that was received here. */
    bucketsChanged: (touched: ReadonlySet<string>): void => {
      if (touched.size === 0) return
      for (const user of connections.all()) if (touched.has(user.bucket)) queue.add(user)
    },
    /** A socket came in; it is told once the projection has applied all that the feed has passed over. */
    onConnect: (user: UserConnections): void => waiting.add(user.bucket, [user]),
    stop: async (): Promise<void> => {
      state.stop()
      stopListening()
      await queue.stop()
    },
  }
}
