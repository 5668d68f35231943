import { authProjections, authPublishers } from '@portal/auth/projections'
import { catalogProjections, catalogPublishers } from '@portal/catalog/projections'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { notificationsProjections, notificationsPublishers } from '@portal/notifications/projections'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'

/** What becomes messages of a topic; each service fills one. */
export const publishersOf: Readonly<Record<Topic, readonly Publisher[]>> = {
  auth: authPublishers,
  catalog: catalogPublishers,
  notifications: notificationsPublishers,
}

/** All that a replay rebuilds. */
export const projections: readonly Projection[] = [
  ...authProjections,
  ...catalogProjections,
  ...notificationsProjections,
  pendingDeliveriesProjection,
]

/** What consumes without projecting; its cursors are in the namespace 'control'. */
export type Reactor = { readonly name: string; readonly topics: readonly Topic[] }

export const reactors: readonly Reactor[] = [
  { name: 'auth-follow-up', topics: ['auth'] },
  { name: 'push-tokens-of-ended-sessions', topics: ['auth', 'notifications'] },
]
