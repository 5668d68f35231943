import {
  maxSeenReports,
  peerSubjects,
  receiptsAnswerSchema,
  type ReceiptsQuestion,
  type SeenQuestion,
  seenReportsSchema,
} from '@portal/contracts/notifications/peers'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Peers } from '@portal/platform/peers/port'
import type { Logger } from 'pino'

/**
 * Who can tell on how many open devices a notification has been seen: the gateway, which knows the sockets. A port, so that
 * a send needs to know nothing of sockets.
 */
export type SeenReceipts = {
  /**
   * The number of open devices of these users on which it has been seen: as soon as all of them have said so, at once when
   * there is none, after `timeoutMs` as far as it got.
   */
  wait(notificationId: NotificationId, userIds: readonly UserId[], timeoutMs: number): Promise<number>
}

/** For the question and the answer to travel: a gateway that waits as long as it may is still heard. */
const networkMarginMs = 200

/** Asks all gateways and adds up: each knows its own sockets. One that is gone or hangs counts as nobody connected. */
export const createRemoteReceipts = (peers: Pick<Peers, 'request'>): SeenReceipts => ({
  wait: async (notificationId, userIds, timeoutMs) => {
    const question: ReceiptsQuestion = { notificationId, userIds: [...userIds], timeoutMs }
    const answers = await peers.request(peerSubjects.receipts, question, timeoutMs + networkMarginMs)
    return answers.reduce<number>((sum, answer) => sum + (receiptsAnswerSchema.safeParse(answer).data ?? 0), 0)
  },
})

/** What open tabs have shown: for each user, everything up to `seq` in the numbering of `epoch`. */
export type SeenReports = readonly (readonly [userId: UserId, seq: number, epoch: string])[]

/**
 * Those who have the sockets, where that is other processes: asked before anything is pushed, because what they tell by
 * themselves can get lost on the way. Not every one of them may answer.
 */
export type SeenSource = {
  upTo(userIds: readonly UserId[]): Promise<SeenReports>
  /** What they have heard of late, for a process that has just started. */
  latest(): Promise<SeenReports>
}

/** Where the sockets are in this process: it has told everything there is. */
export const localSeenSource: SeenSource = { upTo: async () => [], latest: async () => [] }

/** How long a gateway that does not answer holds deliveries up. */
const timeoutMs = 500

/** What the gateways know, asked of all of them. */
export const createRemoteSeenSource = (peers: Pick<Peers, 'request'>, logger: Pick<Logger, 'warn'>): SeenSource => {
  const ask = async (question: SeenQuestion): Promise<SeenReports> => {
    const answers = await peers.request(peerSubjects.seenUpTo, question, timeoutMs)
    return answers.flatMap((answer) => {
      const parsed = seenReportsSchema.safeParse(answer)
      if (!parsed.success)
        logger.warn({ err: parsed.error }, 'An answer about what open tabs have shown was passed over')
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

/** Hears what the gateways tell by themselves. */
export const onSeenReports = (
  peers: Pick<Peers, 'onBroadcast'>,
  seen: (...report: SeenReports[number]) => void,
  logger: Pick<Logger, 'warn'>,
): void =>
  peers.onBroadcast(peerSubjects.seen, (told) => {
    const parsed = seenReportsSchema.safeParse(told)
    if (!parsed.success) return logger.warn({ err: parsed.error }, 'What open tabs have shown could not be read')
    for (const report of parsed.data) seen(...report)
  })
