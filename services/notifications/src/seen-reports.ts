import {
  maxSeenReports,
  peerSubjects,
  seenCountSchema,
  type SeenCountQuestion,
  type SeenQuestion,
  seenReportsSchema,
} from '@portal/contracts/notifications/peers'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Peers } from '@portal/platform/peers/port'
import type { Logger } from 'pino'

/** Port to the gateways, which own the sockets. It counts the open devices that have shown a notification. */
export type SeenCounter = {
  /**
   * Returns the number of these users' open devices that have shown it. Resolves once all have, at once if none is
   * connected, or after `timeoutMs` with the current number. Without users, it counts all devices after `timeoutMs`.
   */
  wait(notificationId: NotificationId, userIds: readonly UserId[] | undefined, timeoutMs: number): Promise<number>
}

/** Added to the request's timeout, so that a gateway that uses all its time can still respond. */
const networkMarginMs = 200

/**
 * Asks all gateways and adds up the answers, because each knows only its own sockets. A gateway that does not
 * respond counts as 0.
 */
export const createRemoteSeenCounter = (peers: Pick<Peers, 'request'>): SeenCounter => ({
  wait: async (notificationId, userIds, timeoutMs) => {
    const question: SeenCountQuestion = { notificationId, ...(userIds && { userIds: [...userIds] }), timeoutMs }
    const answers = await peers.request(peerSubjects.seenCount, question, timeoutMs + networkMarginMs)
    return answers.reduce<number>((sum, answer) => sum + (seenCountSchema.safeParse(answer).data ?? 0), 0)
  },
})

/** What open tabs have shown: for each user, everything up to `seq` in `epoch`. */
export type SeenReports = readonly (readonly [userId: UserId, seq: number, epoch: string])[]

/**
 * Reads reports from gateways in other processes. Queried before each push, because broadcasts can be lost. Some
 * gateways may not respond.
 */
export type SeenSource = {
  upTo(userIds: readonly UserId[]): Promise<SeenReports>
  /** The latest reports, for a process that has just started. */
  latest(): Promise<SeenReports>
}

/** Source for sockets in this process, which have reported everything already. */
export const localSeenSource: SeenSource = { upTo: async () => [], latest: async () => [] }

/** A gateway that does not respond delays deliveries by this long. */
const timeoutMs = 500

/** Queries all gateways. */
export const createRemoteSeenSource = (peers: Pick<Peers, 'request'>, logger: Pick<Logger, 'warn'>): SeenSource => {
  const ask = async (question: SeenQuestion): Promise<SeenReports> => {
    const answers = await peers.request(peerSubjects.seenUpTo, question, timeoutMs)
    return answers.flatMap((answer) => {
      const parsed = seenReportsSchema.safeParse(answer)
      if (!parsed.success) logger.warn({ err: parsed.error }, 'invalid seen reports from a gateway, ignoring them')
      return parsed.success ? parsed.data : []
    })
  }
  return {
    upTo: async (userIds) => {
      const seen: SeenReports[number][] = []
      for (let from = 0; from < userIds.length; from += maxSeenReports)
        seen.push(...(await ask({ userIds: userIds.slice(from, from + maxSeenReports) })))
      return seen
    },
    latest: () => ask({}),
  }
}

/** Subscribes to the gateways' broadcasts. */
export const onSeenReports = (
  peers: Pick<Peers, 'onBroadcast'>,
  seen: (...report: SeenReports[number]) => void,
  logger: Pick<Logger, 'warn'>,
): void =>
  peers.onBroadcast(peerSubjects.seen, (message) => {
    const parsed = seenReportsSchema.safeParse(message)
    if (!parsed.success) return logger.warn({ err: parsed.error }, 'invalid seen reports from a gateway, ignoring them')
    for (const report of parsed.data) seen(...report)
  })
