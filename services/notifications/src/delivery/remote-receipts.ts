import { peerSubjects, receiptsAnswerSchema, type ReceiptsQuestion } from '@portal/contracts/notifications/peers'
import type { Peers } from '@portal/platform/peers/port'
import type { SeenReceipts } from './seen-receipts.ts'

/** For the question and the answer to travel: a gateway that waits as long as it may is still heard. */
const travelMs = 200

/** Asks all gateways and adds up: each knows its own sockets. One that is gone or hangs counts as nobody connected. */
export const createRemoteReceipts = (peers: Pick<Peers, 'ask'>): SeenReceipts => ({
  wait: async (notificationId, userIds, timeoutMs) => {
    const question: ReceiptsQuestion = { notificationId, userIds: [...userIds], timeoutMs }
    const answers = await peers.ask(peerSubjects.receipts, question, timeoutMs + travelMs)
    return answers.reduce<number>((sum, answer) => sum + (receiptsAnswerSchema.safeParse(answer).data ?? 0), 0)
  },
})
