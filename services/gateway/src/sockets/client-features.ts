import {
  type InboxChange,
  type InboxChanged,
  type InboxResumed,
  type SocketFeature,
  socketFeatures,
} from '@portal/contracts/notifications/socket'
import { z } from 'zod'
import type { PortalSocket } from './connections.ts'

/** More entries, or longer ones, are not from a client of the portal. */
const featuresSchema = z.object({ features: z.array(z.string().max(50)).max(20) })

/** The features that `auth` of the handshake declares. The oldest clients declare none. */
export const declaredFeatures = (auth: unknown): readonly SocketFeature[] => {
  const declared = featuresSchema.safeParse(auth)
  if (!declared.success) return []
  const features = socketFeatures.filter((feature) => declared.data.features.includes(feature))
  // One array for all current clients, because there are many sockets.
  return features.length === socketFeatures.length ? socketFeatures : features
}

/** The feature that a client needs for a change; undefined if all clients accept it. */
const featureFor = ({ kind }: InboxChange): SocketFeature | undefined =>
  socketFeatures.find((feature) => feature === kind)

/** Whether all clients accept the changes. */
export const isForAllClients = ({ changes }: Pick<InboxChanged, 'changes'>): boolean =>
  changes.every((change) => featureFor(change) === undefined)

const accepts = (socket: PortalSocket, { changes }: Pick<InboxChanged, 'changes'>): boolean =>
  changes.every((change) => {
    const feature = featureFor(change)
    return feature === undefined || socket.data.features.includes(feature)
  })

/** The message as this client accepts it. Older ones reject unknown changes, so they get no changes and resume. */
export const messageFor = (socket: PortalSocket, message: InboxChanged): InboxChanged =>
  accepts(socket, message) ? message : { ...message, changes: [] }

/** The response as this client accepts it. Older ones get a reset and fetch their page. */
export const resumeFor = (socket: PortalSocket, answer: InboxResumed): InboxResumed => {
  if (!('changes' in answer) || accepts(socket, answer)) return answer
  const { epoch, seq, unread } = answer
  return { reset: true, epoch, seq, unread }
}
