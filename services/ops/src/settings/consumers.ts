import { authProjections, authPublishers } from '@portal/auth/projections'
import { catalogProjections, catalogPublishers } from '@portal/catalog/projections'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { notificationsProjections, notificationsPublishers } from '@portal/notifications/projections'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'

/** The publishers of each topic. Each service has one topic. */
export const publishersOf: Readonly<Record<Topic, readonly Publisher[]>> = {
  auth: authPublishers,
  catalog: catalogPublishers,
  notifications: notificationsPublishers,
}

/** All projections. */
export const projections: readonly Projection[] = [
  ...authProjections,
  ...catalogProjections,
  ...notificationsProjections,
  pendingDeliveriesProjection,
]

/** A consumer without a projection. Its cursors are in the namespace 'control'. */
export type Reactor = { readonly name: string; readonly topics: readonly Topic[] }

export const reactors: readonly Reactor[] = [
  { name: 'auth-follow-up', topics: ['auth'] },
  { name: 'account-notices', topics: ['auth'] },
  { name: 'push-tokens-of-ended-sessions', topics: ['auth', 'notifications'] },
  { name: 'planned-campaigns', topics: ['notifications'] },
  { name: 'enrollment-notices', topics: ['catalog'] },
  { name: 'learner-invitations', topics: ['auth', 'catalog'] },
  { name: 'learner-invitation-mails', topics: ['catalog'] },
]
