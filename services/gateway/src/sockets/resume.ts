import type { InboxResume, InboxResumed } from '@portal/contracts/notifications/socket'
import type { Logger } from 'pino'
import type { Connections, PortalSocket } from './connections.ts'
import type { InboxReader, InboxVersion } from './ports.ts'

const maxReads = 5

type Deps = {
  readonly connections: Pick<Connections, 'channelOf'>
  readonly inbox: Pick<InboxReader, 'changesSince' | 'epoch'>
  /** True when the client has stopped reading; it has then been disconnected. */
  dropIfStuck(socket: PortalSocket): boolean
  readonly logger: Logger
}

/** Answers a client that resumes with the changes since its last one. */
export const createResumeAnswering = ({ connections, inbox, dropIfStuck, logger }: Deps) => {
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
        if (coversSent(answer, since, connections.channelOf(userId)?.sent)) {
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
