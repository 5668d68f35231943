import {
  mostSeenReports,
  peerSubjects,
  type SeenQuestion,
  seenReportsSchema,
} from '@portal/contracts/notifications/peers'
import type { Peers } from '@portal/platform/peers/port'
import type { Logger } from 'pino'
import type { Seen, SeenSource } from './seen-source.ts'

/** How long a gateway that does not answer holds deliveries up. */
const timeoutMs = 500

/** What the gateways know, asked of all of them. */
export const createRemoteSeen = (peers: Pick<Peers, 'ask'>, logger: Pick<Logger, 'warn'>): SeenSource => {
  const ask = async (question: SeenQuestion): Promise<Seen> => {
    const answers = await peers.ask(peerSubjects.seenUpTo, question, timeoutMs)
    return answers.flatMap((answer) => {
      const parsed = seenReportsSchema.safeParse(answer)
      if (!parsed.success)
        logger.warn({ err: parsed.error }, 'An answer about what open tabs have shown was passed over')
      return parsed.success ? parsed.data : []
    })
  }
  return {
    upTo: async (userIds) => {
      const seen: Seen[number][] = []
      for (let from = 0; from < userIds.length; from += mostSeenReports)
        seen.push(...(await ask({ userIds: userIds.slice(from, from + mostSeenReports) })))
      return seen
    },
    latest: () => ask({}),
  }
}

/** Hears what the gateways tell by themselves. */
export const hearSeen = (
  peers: Pick<Peers, 'onTold'>,
  seen: (...report: Seen[number]) => void,
  logger: Pick<Logger, 'warn'>,
): void =>
  peers.onTold(peerSubjects.seen, (told) => {
    const parsed = seenReportsSchema.safeParse(told)
    if (!parsed.success) return logger.warn({ err: parsed.error }, 'What open tabs have shown could not be read')
    for (const report of parsed.data) seen(...report)
  })
