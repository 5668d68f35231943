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
import type { Receipts } from './receipts.ts'

const maxReads = 5

type Deps = {
  readonly connections: Pick<Connections, 'ofUser'>
  readonly inbox: Pick<InboxReader, 'changesSince' | 'epoch'>
  /** True when the client has stopped reading; it has then been disconnected. */
  dropIfStuck(socket: PortalSocket): boolean
  readonly logger: Logger
}

/** Answers a client that resumes with the changes since its last one. */
const createResumeAnswering = ({ connections, inbox, dropIfStuck, logger }: Deps) => {
  /**
   * Whether the answer covers every message that has gone out before it, also one that overtook the read: a client may wait for its
   * resume and pass over what comes meanwhile.
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
          if (!dropIfStuck(socket)) acknowledge(answer)
          return
        }
      }
      logger.warn({ userId }, 'inbox behind or changing too fast, resume left unanswered')
    } catch (error) {
      // Without an acknowledgement the client's own timeout makes it ask again.
      logger.error({ err: error }, 'A resume could not be answered')
    }
  }
}

/** Of what reads from the store; other messages only set a number. */
const readCost = 20

type PacketDeps = {
  readonly connections: Connections
  readonly inbox: InboxReader
  readonly receipts: Receipts
  readonly seen: SeenSink
  readonly limits: SocketLimits
  /** True when the client has stopped reading; it has then been disconnected. */
  dropIfStuck(socket: PortalSocket): boolean
  /** A client that sent too much has been disconnected. */
  onFlood(socket: PortalSocket, why: string): void
  nowMs(): number
  readonly logger: Logger
}

/**
 * What clients say. One listener for all sockets and all messages, so that a socket costs no closures; what does not fit
 * the contract is counted and ignored, and too much of anything ends the connection.
 */
export const createClientMessageListener = (deps: PacketDeps) => {
  const { connections, inbox, receipts, seen, limits, dropIfStuck, onFlood, nowMs, logger } = deps
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

  /** Such that a client comes back by itself after a pause: one that merely got carried away must not stay dark for good. */
  const disconnect = (socket: PortalSocket, why: string): void => {
    const { data } = socket
    if (data.isClosed) return
    data.isClosed = true
    floods += 1
    logger.warn({ userId: data.session.userId, why }, 'A socket was disconnected')
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
    receipts.seen(socket, upTo)
    seen(socket.data.session.userId, upTo.seq, upTo.epoch)
  }

  /**
   * A page may know of more than the room has received, but nobody has seen what is not in the inbox: taken at its word, a
   * client that is wrong would never be pushed to again. A number of another epoch says nothing about this one's, and neither does
   * one above the inbox's own from a client that names no epoch.
   */
  const acceptWithinInbox = async (socket: PortalSocket, { epoch, seq }: InboxSeen): Promise<void> => {
    try {
      const head = await inbox.head(socket.data.session.userId)
      const isOtherEpoch = epoch === undefined ? seq > head.seq : epoch !== head.epoch
      if (!isOtherEpoch) accept(socket, { epoch: head.epoch, seq: Math.min(seq, head.seq) })
    } catch (error) {
      logger.error({ err: error }, 'What a client says it has seen could not be checked')
    }
  }

  const onSeen = (socket: PortalSocket, message: unknown): void => {
    const parsed = inboxSeenSchema.safeParse(message)
    if (!parsed.success) return ignore(socket)
    // Crossed with its own 'hidden', or a client that is wrong: nobody looks at a hidden tab.
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
    if (!parsed.data.visible) receipts.socketGone(socket, connections.ofUser(socket.data.session.userId))
  }

  function onPacket(this: PortalSocket, event: unknown, message: unknown, acknowledge: unknown): void {
    // What arrived together with the packet that ended it.
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
