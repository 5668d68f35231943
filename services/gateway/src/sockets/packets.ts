import {
  inboxResumeSchema,
  type InboxResumed,
  inboxSeenSchema,
  socketEvents,
  tabVisibilitySchema,
} from '@portal/contracts/notifications/socket'
import type { Logger } from 'pino'
import type { Connections, PortalSocket } from './connections.ts'
import type { SocketLimits } from './limits.ts'
import type { InboxReader, SeenSink } from './ports.ts'
import type { Receipts } from './receipts.ts'

/** Of what reads from the store; other messages only set a number. */
const readCost = 20
const maxResumeReads = 5

type PacketDeps = {
  readonly connections: Connections
  readonly inbox: InboxReader
  readonly receipts: Receipts
  readonly seen: SeenSink
  readonly limits: SocketLimits
  /** True when the client has stopped reading; it has then been disconnected. */
  dropIfStuck(socket: PortalSocket): boolean
  nowMs(): number
  readonly logger: Logger
}

/**
 * What clients say. One listener for all sockets and all messages, so that a socket costs no closures; what does not fit
 * the contract is counted and ignored, and too much of anything ends the connection.
 */
export const createPacketListener = (deps: PacketDeps) => {
  const { connections, inbox, receipts, seen, limits, dropIfStuck, nowMs, logger } = deps
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
    floods += 1
    logger.warn({ userId: socket.data.session.userId, why }, 'A socket was disconnected')
    socket.conn.close(true)
  }

  const ignore = (socket: PortalSocket): void => {
    malformed += 1
    socket.data.malformedPackets += 1
    if (socket.data.malformedPackets > limits.malformedPackets) disconnect(socket, 'malformed messages')
  }

  /**
   * The answer covers every message that has gone out before it, also one that overtook the read: a client may wait for its
   * resume and pass over what comes meanwhile.
   */
  const resume = async (socket: PortalSocket, since: number, acknowledge: (answer: InboxResumed) => void) => {
    const { userId } = socket.data.session
    try {
      for (let reads = 1; reads <= maxResumeReads; reads++) {
        const answer = await inbox.changesSince(userId, since)
        if (answer.seq >= (connections.channelOf(userId)?.sentSeq ?? 0)) {
          if (!dropIfStuck(socket)) acknowledge(answer)
          return
        }
      }
      logger.warn({ userId }, 'An inbox changed too fast for a resume; its client will ask again')
    } catch (error) {
      // Without an acknowledgement the client's own timeout makes it ask again.
      logger.error({ err: error }, 'A resume could not be answered')
    }
  }

  const onResume = (socket: PortalSocket, message: unknown, acknowledge: unknown): void => {
    const parsed = inboxResumeSchema.safeParse(message)
    if (!parsed.success || typeof acknowledge !== 'function') return ignore(socket)
    void resume(socket, parsed.data.since, (answer) => acknowledge(answer))
  }

  const believe = (socket: PortalSocket, seq: number): void => {
    if (seq <= socket.data.seenSeq) return
    receipts.seen(socket, seq)
    seen(socket.data.session.userId, seq)
  }

  /**
   * A page may know of more than the room has been told, but nobody has seen what is not in the inbox: taken at its word, a
   * client that is wrong would never be pushed to again.
   */
  const believeWithin = async (socket: PortalSocket, claimedSeq: number): Promise<void> => {
    try {
      const head = await inbox.head(socket.data.session.userId)
      believe(socket, Math.min(claimedSeq, head.seq))
    } catch (error) {
      logger.error({ err: error }, 'What a client says it has seen could not be checked')
    }
  }

  const onSeen = (socket: PortalSocket, message: unknown): void => {
    const parsed = inboxSeenSchema.safeParse(message)
    if (!parsed.success) return ignore(socket)
    // Crossed with its own 'hidden', or a client that is wrong: nobody looks at a hidden tab.
    if (!socket.data.visible || parsed.data.seq <= socket.data.seenSeq) return
    const toldSeq = connections.channelOf(socket.data.session.userId)?.sentSeq
    if (toldSeq !== undefined && parsed.data.seq <= toldSeq) return believe(socket, parsed.data.seq)
    if (isFlood(socket, readCost)) return disconnect(socket, 'too many messages')
    void believeWithin(socket, parsed.data.seq)
  }

  const onVisibility = (socket: PortalSocket, message: unknown): void => {
    const parsed = tabVisibilitySchema.safeParse(message)
    if (!parsed.success) return ignore(socket)
    socket.data.visible = parsed.data.visible
    if (!parsed.data.visible) receipts.gone(socket, connections.channelOf(socket.data.session.userId))
  }

  function onPacket(this: PortalSocket, event: unknown, message: unknown, acknowledge: unknown): void {
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
