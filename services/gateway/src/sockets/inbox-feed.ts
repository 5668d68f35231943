import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { UserId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { noTracing, type Span, type Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Logger } from 'pino'
import { createBucketQueues, createCoalescingQueue } from './coalescing-queues.ts'
import type { UserConnections, Connections, PortalServer } from './connections.ts'
import type { InboxReader, InboxState } from './ports.ts'
import { type Applied, createWaitUntilApplied } from './progress.ts'
import type { SeenCounter } from './seen-counter.ts'
import { isForAllClients, messageFor } from './client-features.ts'

/** Limits the spans per bus message; a few are enough to see the latency. */
const tracedUsersPerMessage = 4

/** The last span of a trace: from the bus message to the emit. Keeps no state while tracing is off. */
const createEmitTraces = (tracing: Tracing) => {
  const waiting = new WeakMap<UserConnections, Span>()

  return {
    /** Returns a function to call for each affected user; undefined for a message without a trace. */
    of: (parent: string | undefined): ((user: UserConnections) => void) | undefined => {
      if (parent === undefined || !tracing.isOn) return undefined
      let followed = 0
      return (user) => {
        // A user with an open span gets both changes in one message, as part of the first trace.
        if (followed === tracedUsersPerMessage || waiting.has(user)) return
        followed += 1
        const attributes = { userId: user.userId }
        const span = tracing.start('tell sockets', { parent, kind: 'producer', attributes })
        if (span) waiting.set(user, span)
      }
    },
    /** Emits, and ends the user's open span. */
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

/** Pause after a read that failed or was behind the sockets. */
const retryPauseMs = 1_000

type FeedDeps = {
  readonly io: PortalServer
  readonly connections: Connections
  readonly inbox: InboxReader
  readonly inboxApplied: Applied
  readonly seenCounter: Pick<SeenCounter, 'sent'>
  /** Called after each message to a room, to check for clients that do not read. */
  afterEmit(user: UserConnections): void
  readonly logger: Logger
  readonly tracing?: Tracing
}

/**
 * After the event store went back, a rebuilt read model may never apply the positions of messages from before. `endWaits` lets the
 * waits for them pass.
 */
const endableWaits = (applied: Applied) => {
  let ended = Promise.withResolvers<true>()
  return {
    applied: (...wait: Parameters<Applied>): Promise<boolean> => Promise.race([applied(...wait), ended.promise]),
    endWaits: (): void => {
      ended.resolve(true)
      ended = Promise.withResolvers()
    },
  }
}

/**
 * Sends connected users the changes of their inbox. A bus message says *that* an inbox changed. *What* changed is
 * read once the projection has applied the message, so a socket never shows more than a page.
 *
 * Each message to a room continues from the previous one. A new socket first gets the inbox state in a message
 * without changes. A client that knows an older `seq` detects the gap and resumes.
 */
export const createInboxFeed = (deps: FeedDeps) => {
  const { io, connections, inbox, seenCounter, afterEmit, logger } = deps
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
    // On too many changes or another epoch, send none: clients resume from their own state.
    const changes = 'reset' in answer ? [] : answer.changes
    const message = { epoch, seq, unread, changes }
    if (isForAllClients(message)) {
      // `local`, because each gateway consumes the bus and emits to its own clients.
      io.local.to(user.userId).emit('inbox:changed', message)
    } else {
      for (const socket of user.sockets) socket.emit('inbox:changed', messageFor(socket, message))
    }
    user.sent = { epoch, seq }
    for (const change of changes) {
      if (change.kind === 'arrived') seenCounter.sent(change.notification._id, user, { epoch, seq: change.seq })
    }
    afterEmit(user)
  }

  /** All sockets may have left during a read, and new ones may have joined. */
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
    // The read model was reset to older data: wait, or a new socket would get less than its room.
    if (answer.epoch === sent.epoch && answer.seq < sent.seq) return retry(user)
    const hasNews = answer.epoch !== sent.epoch || answer.seq > sent.seq
    if (hasNews) traces.emitting('inbox:changed', user, () => emitToRoom(user, answer))
    admitPending(user, answer)
  }

  const queue = createCoalescingQueue<UserConnections>(async (user) => {
    try {
      await sendChanges(user)
    } catch (error) {
      logger.error({ err: error }, 'inbox could not be read for sockets, retrying')
      retry(user)
    }
  })

  const retry = (user: UserConnections): void => {
    setTimeout(() => {
      if (!state.isStopped() && isCurrent(user)) queue.add(user)
    }, retryPauseMs).unref()
  }

  const { applied, endWaits } = endableWaits(deps.inboxApplied)
  const waiting = createBucketQueues<UserConnections>({
    waitUntilApplied: createWaitUntilApplied({
      projection: 'inbox',
      applied,
      stopping: state.signal,
      logger,
    }),
    onApplied: queue.add,
    stopping: state.signal,
  })

  /** A change of the epoch affects every user, with or without a message. */
  const stopListening = inbox.onEpochChange(() => {
    endWaits()
    for (const user of connections.all()) queue.add(user)
  })

  const changed = (
    bucketName: string,
    position: string,
    users: readonly UserConnections[],
    traceparent: string | undefined,
  ): void => {
    const follow = traces.of(traceparent)
    for (const user of users) follow?.(user)
    waiting.add(bucketName, users, position)
  }

  return {
    /** A message of this bucket changed these users' inboxes. Also keeps the position for users who connect later. */
    inboxesChanged: (bucketName: string, position: string, userIds: readonly UserId[], traceparent?: string): void => {
      const users = userIds.flatMap((userId) => connections.ofUser(userId) ?? [])
      changed(bucketName, position, users, traceparent)
    },
    /** A message of this bucket changed inboxes that it does not name. */
    inboxesOfBucketChanged: (bucketName: string, position: string, traceparent?: string): void => {
      const users = [...connections.all()].filter(({ bucket }) => bucket === bucketName)
      changed(bucketName, position, users, traceparent)
    },
    /** Inboxes of these buckets changed without a message to this gateway. */
    bucketsChanged: (buckets: ReadonlySet<string>): void => {
      if (buckets.size === 0) return
      for (const user of connections.all()) if (buckets.has(user.bucket)) queue.add(user)
    },
    /** A socket connected. It gets its state once the projection has applied all messages seen so far. */
    onConnect: (user: UserConnections): void => waiting.add(user.bucket, [user]),
    stop: async (): Promise<void> => {
      state.stop()
      stopListening()
      await queue.stop()
    },
  }
}
