import {
  type InboxResume,
  type InboxResumed,
  inboxResumeSchema,
  type InboxSeen,
  inboxSeenSchema,
  socketEvents,
  tabVisibilitySchema,
} from '@portal/contracts/notifications/socket'
import type { Logger } from 'pino'
import { type Connections, covers, type PortalSocket } from './connections.ts'
import type { SocketLimits } from './limits.ts'
import type { InboxReader, InboxVersion, SeenSink } from './ports.ts'
import type { SeenCounter } from './seen-counter.ts'
import { resumeFor } from './client-features.ts'

const maxReads = 5

type ResumeAnsweringDeps = {
  readonly connections: Pick<Connections, 'ofUser'>
  readonly inbox: Pick<InboxReader, 'changesSince' | 'epoch'>
  /** Returns true if the client has stopped reading and was disconnected. */
  dropIfStuck(socket: PortalSocket): boolean
  readonly logger: Logger
}

/** Responds to a resume with the changes since the client's last one. */
const createResumeAnswering = ({ connections, inbox, dropIfStuck, logger }: ResumeAnsweringDeps) => {
  /**
   * Whether the response covers every message already sent, including one that overtook the read. A client ignores
   * messages while it waits for its resume.
   */
  const coversSent = (answer: InboxResumed, since: number, sent: InboxVersion | undefined): boolean => {
    if (answer.epoch !== inbox.epoch()) return false
    return sent === undefined || sent.epoch !== answer.epoch || Math.max(answer.seq, since) >= sent.seq
  }

  return async (socket: PortalSocket, { since, epoch }: InboxResume, acknowledge: (answer: InboxResumed) => void) => {
    const { userId } = socket.data.session
    try {
      for (let reads = 1; reads <= maxReads; reads++) {
        const answer = await inbox.changesSince(userId, since, epoch)
        if (coversSent(answer, since, connections.ofUser(userId)?.sent)) {
          if (!dropIfStuck(socket)) acknowledge(resumeFor(socket, answer))
          return
        }
      }
      logger.warn({ userId }, 'inbox behind or changing too fast, resume left unanswered')
    } catch (error) {
      // Without an acknowledgement, the client times out and asks again.
      logger.error({ err: error }, 'resume failed, client will ask again')
    }
  }
}

/** Cost of a packet that reads from the store; other packets only set a number. */
const readCost = 20

type PacketDeps = {
  readonly connections: Connections
  readonly inbox: InboxReader
  readonly seenCounter: SeenCounter
  readonly seen: SeenSink
  readonly limits: SocketLimits
  /** Returns true if the client has stopped reading and was disconnected. */
  dropIfStuck(socket: PortalSocket): boolean
  /** Called after a client was disconnected for sending too much. */
  onFlood(socket: PortalSocket, why: string): void
  nowMs(): number
  readonly logger: Logger
}

/**
 * Handles messages from clients. All sockets share one listener, to save closures. Invalid messages are counted and
 * ignored; too many of them, or too many messages, end the connection.
 */
export const createClientMessageListener = (deps: PacketDeps) => {
  const { connections, inbox, seenCounter, seen, limits, dropIfStuck, onFlood, nowMs, logger } = deps
  let malformed = 0
  let floods = 0

  const isFlood = (socket: PortalSocket, cost: number): boolean => {
    const { data } = socket
    const now = nowMs()
    if (now - data.windowStartMs > limits.windowMs) {
      data.windowStartMs = now
      data.windowCost = 0
    }
    data.windowCost += cost
    return data.windowCost > limits.packetCostPerWindow
  }

  /**
   * Closes the transport, so that the client reconnects after a pause: a client that exceeds the limit once must
   * recover.
   */
  const disconnect = (socket: PortalSocket, why: string): void => {
    const { data } = socket
    if (data.isClosed) return
    data.isClosed = true
    floods += 1
    logger.warn({ userId: data.session.userId, why }, 'socket disconnected')
    onFlood(socket, why)
    socket.conn.close(true)
  }

  const ignore = (socket: PortalSocket): void => {
    malformed += 1
    socket.data.malformedPackets += 1
    if (socket.data.malformedPackets > limits.malformedPackets) disconnect(socket, 'malformed messages')
  }

  const answerResume = createResumeAnswering({ connections, inbox, dropIfStuck, logger })

  const onResume = (socket: PortalSocket, message: unknown, acknowledge: unknown): void => {
    const parsed = inboxResumeSchema.safeParse(message)
    if (!parsed.success || typeof acknowledge !== 'function') return ignore(socket)
    void answerResume(socket, parsed.data, (answer) => acknowledge(answer))
  }

  const accept = (socket: PortalSocket, upTo: InboxVersion): void => {
    if (upTo.seq === 0 || covers(socket.data.seen, upTo)) return
    seenCounter.seen(socket, upTo)
    seen(socket.data.session.userId, upTo.seq, upTo.epoch)
  }

  /**
   * A page can be ahead of the room, so the number is capped at the inbox's own `seq`. Otherwise a faulty client
   * would never get a push again. Ignores numbers of another epoch, and, from a client without epochs, numbers
   * above the inbox's own.
   */
  const acceptWithinInbox = async (socket: PortalSocket, { epoch, seq }: InboxSeen): Promise<void> => {
    try {
      const head = await inbox.head(socket.data.session.userId)
      const isOtherEpoch = epoch === undefined ? seq > head.seq : epoch !== head.epoch
      if (!isOtherEpoch) accept(socket, { epoch: head.epoch, seq: Math.min(seq, head.seq) })
    } catch (error) {
      logger.error({ err: error }, 'seen report could not be checked, ignoring it')
    }
  }

  const onSeen = (socket: PortalSocket, message: unknown): void => {
    const parsed = inboxSeenSchema.safeParse(message)
    if (!parsed.success) return ignore(socket)
    // Sent before 'hidden' was processed, or by a faulty client. A hidden tab shows nothing.
    if (!socket.data.visible || parsed.data.seq === 0) return
    const sent = connections.ofUser(socket.data.session.userId)?.sent
    if (sent !== undefined) {
      const upTo = { epoch: parsed.data.epoch ?? sent.epoch, seq: parsed.data.seq }
      if (covers(socket.data.seen, upTo)) return
      if (covers(sent, upTo)) return accept(socket, upTo)
    }
    if (isFlood(socket, readCost)) return disconnect(socket, 'too many messages')
    void acceptWithinInbox(socket, parsed.data)
  }

  const onVisibility = (socket: PortalSocket, message: unknown): void => {
    const parsed = tabVisibilitySchema.safeParse(message)
    if (!parsed.success) return ignore(socket)
    socket.data.visible = parsed.data.visible
    if (!parsed.data.visible) seenCounter.socketGone(socket, connections.ofUser(socket.data.session.userId))
  }

  function onPacket(this: PortalSocket, event: unknown, message: unknown, acknowledge: unknown): void {
    // The packet arrived together with the one that closed the socket.
    if (this.data.isClosed) return
    if (isFlood(this, event === socketEvents.inboxResume ? readCost : 1)) return disconnect(this, 'too many messages')
    switch (event) {
      case socketEvents.inboxResume:
        return onResume(this, message, acknowledge)
      case socketEvents.inboxSeen:
        return onSeen(this, message)
      case socketEvents.tabVisibility:
        return onVisibility(this, message)
      default:
        return ignore(this)
    }
  }

  return {
    onPacket,
    get counts() {
      return { malformed, floods }
    },
  }
}
