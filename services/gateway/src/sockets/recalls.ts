import type { InboxChanged, InboxResumed, SocketFeature } from '@portal/contracts/notifications/socket'
import { z } from 'zod'
import type { PortalSocket } from './connections.ts'

const recalls: SocketFeature = 'recalled'
/** More entries, or longer ones, are not from a client of the portal. */
const featuresSchema = z.object({ features: z.array(z.string().max(50)).max(20) })

/** Whether `auth` of the handshake declares the feature. Clients built before recalls declare none. */
export const declaresRecalls = (auth: unknown): boolean => {
  const declared = featuresSchema.safeParse(auth)
  return declared.success && declared.data.features.includes(recalls)
}

export const hasRecall = ({ changes }: Pick<InboxChanged, 'changes'>): boolean =>
  changes.some(({ kind }) => kind === 'recalled')

/** The message as this client accepts it. Older ones reject a recall, so they get no changes and resume. */
export const messageFor = (socket: PortalSocket, message: InboxChanged): InboxChanged =>
  socket.data.acceptsRecalls || !hasRecall(message) ? message : { ...message, changes: [] }

/** The response as this client accepts it. Older ones get a reset and fetch their page. */
export const resumeFor = (socket: PortalSocket, answer: InboxResumed): InboxResumed => {
  if (!('changes' in answer) || socket.data.acceptsRecalls || !hasRecall(answer)) return answer
  const { epoch, seq, unread } = answer
  return { reset: true, epoch, seq, unread }
}
