import { authProjections } from '@portal/auth/projections'
import { catalogProjections } from '@portal/catalog/projections'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { notificationsProjections } from '@portal/notifications/projections'
import { expect, it } from 'vitest'
import { redisWriters } from './redis-users.ts'

const namesOf = (projections: readonly { readonly name: string }[]) => projections.map(({ name }) => name).toSorted()

it('each process may write only the read models of its projections', () => {
  const sorted = Object.fromEntries(Object.entries(redisWriters).map(([user, names]) => [user, names.toSorted()]))
  expect(sorted).toEqual({
    auth: namesOf(authProjections),
    catalog: namesOf(catalogProjections),
    notifications: namesOf(notificationsProjections),
    delivery: namesOf([...notificationsProjections, pendingDeliveriesProjection]),
    gateway: [],
  })
})
