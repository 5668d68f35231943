import { authProjections, authPublishers } from '@portal/auth/projections'
import { catalogProjections, catalogPublishers } from '@portal/catalog/projections'
import { ledgerProjection } from '@portal/notifications/delivery/ledger-projection'
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

/** Those that a replay rebuilds, and the delivery ledger. */
export const projections: readonly Projection[] = [
  ...authProjections,
  ...catalogProjections,
  ...notificationsProjections,
  ledgerProjection,
]

/** What consumes without projecting, with the place where it keeps its cursors. */
export type Reactor = {
  readonly name: string
  readonly topics: readonly Topic[]
  readonly keptIn: 'control' | 'ledger'
}

export const reactors: readonly Reactor[] = [
  { name: 'auth-follow-up', topics: ['auth'], keptIn: 'control' },
  { name: 'push-tokens-of-ended-sessions', topics: ['auth'], keptIn: 'ledger' },
]
