import {
  maxSeenReports,
  peerSubjects,
  seenCountQuestionSchema,
  seenQuestionSchema,
  type SeenReports as SeenMessage,
} from '@portal/contracts/notifications/peers'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Peers } from '@portal/platform/peers/port'
import { createPeers } from '@portal/platform/peers/socket-io'
import type { Logger } from 'pino'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { createConnections } from './connections.ts'
import { createSeenCounter, type SeenCounter } from './seen-counter.ts'
import type { Sockets } from './socket-server.ts'

/** Reports within this time are sent together. */
const batchMs = 20
/** Users with the most recent reports. Enough for all who are connected. */
const maxUsers = 50_000

type SeenReports = readonly (readonly [userId: UserId, seq: number, epoch: string])[]

/**
 * Keeps what open tabs have shown, including closed ones, and broadcasts it. Broadcasts can be lost; delivery
 * requests the state before each push.
 */
export const createSeenReporter = (report: (seen: SeenReports) => void) => {
  const shown = boundedCache<UserId, { readonly seq: number; readonly epoch: string }>(maxUsers)
  const waiting = new Set<UserId>()
  let timer: NodeJS.Timeout | undefined

  const reportOf = (userIds: Iterable<UserId>): SeenReports =>
    [...userIds].flatMap((userId) => {
      const last = shown.peek(userId)
      return last === undefined ? [] : [[userId, last.seq, last.epoch] as const]
    })

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size > 0) report(reportOf(waiting))
    waiting.clear()
  }

  return {
    /** A report of another epoch replaces the previous one. */
    seen: (userId: UserId, seq: number, epoch: string): void => {
      const last = shown.get(userId)
      if (last?.epoch === epoch && seq <= last.seq) return
      shown.set(userId, { seq, epoch })
      waiting.add(userId)
      timer ??= setTimeout(flush, batchMs)
    },
    upTo: (userIds: readonly UserId[]): SeenReports => reportOf(userIds),
    /** Most recent first. */
    latest: (limit: number): SeenReports => {
      const users: UserId[] = []
      for (const userId of shown.keys()) {
        if (users.length >= limit) break
        users.push(userId)
      }
      return reportOf(users)
    },
    /** Sends the queued reports. */
    stop: flush,
  }
}
type SeenReporter = ReturnType<typeof createSeenReporter>

type Sources = {
  readonly seenCounter: Pick<SeenCounter, 'wait'>
  readonly seenReporter: Pick<SeenReporter, 'upTo' | 'latest'>
}

/** Answers requests from the notifications and delivery processes about what this gateway's sockets have seen. */
export const answerPeerRequests = (peers: Peers, { seenCounter, seenReporter }: Sources): void => {
  peers.onRequest(peerSubjects.seenCount, async (question) => {
    const { notificationId, userIds, timeoutMs } = seenCountQuestionSchema.parse(question)
    return seenCounter.wait(notificationId, userIds, timeoutMs)
  })
  peers.onRequest(peerSubjects.seenUpTo, async (question) => {
    const { userIds } = seenQuestionSchema.parse(question)
    const seen = userIds ? seenReporter.upTo(userIds) : seenReporter.latest(maxSeenReports)
    return seen.map(([userId, seq, epoch]): SeenMessage[number] => [userId, seq, epoch])
  })
}

/** Seen reports for the other processes: broadcast as they arrive, and returned on request. */
export const createPeerReporting = (logger: Logger) => {
  const connections = createConnections()
  const seenCounter = createSeenCounter(connections)
  let peers: Peers | undefined
  const seenReporter = createSeenReporter((seen) =>
    peers?.broadcast(
      peerSubjects.seen,
      seen.map((report) => [...report]),
    ),
  )
  const joinPeers = ({ namespace }: Sockets) => {
    const joined = createPeers({ namespace, logger })
    peers = joined
    answerPeerRequests(joined, { seenCounter, seenReporter })
    return async (): Promise<void> => {
      seenReporter.stop()
      await joined.close()
      await namespace.adapter.close()
    }
  }
  return { connections, seenCounter, seen: seenReporter.seen, joinPeers }
}
