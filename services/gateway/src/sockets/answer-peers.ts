import {
  mostSeenReports,
  peerSubjects,
  receiptsQuestionSchema,
  seenQuestionSchema,
  type SeenReports as SeenMessage,
} from '@portal/contracts/notifications/peers'
import type { Peers } from '@portal/platform/peers/port'
import type { Receipts } from './receipts.ts'
import type { SeenReports } from './seen-reports.ts'

type Knowing = { readonly receipts: Pick<Receipts, 'wait'>; readonly seenReports: Pick<SeenReports, 'upTo' | 'latest'> }

/** Tells the notifications context, which is in other processes, what this gateway's sockets have seen. */
export const answerPeers = (peers: Peers, { receipts, seenReports }: Knowing): void => {
  peers.onAsked(peerSubjects.receipts, async (question) => {
    const { notificationId, userIds, timeoutMs } = receiptsQuestionSchema.parse(question)
    return receipts.wait(notificationId, userIds, timeoutMs)
  })
  peers.onAsked(peerSubjects.seenUpTo, async (question) => {
    const { userIds } = seenQuestionSchema.parse(question)
    const seen = userIds ? seenReports.upTo(userIds) : seenReports.latest(mostSeenReports)
    return seen.map(([userId, seq, epoch]): SeenMessage[number] => [userId, seq, epoch])
  })
}
