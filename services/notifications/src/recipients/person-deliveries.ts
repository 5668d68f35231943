import { deliveryReasons, explainDelivery, explainPostponed } from '@portal/contracts/notifications/delivery-reasons'
import type { getPerson } from '@portal/contracts/notifications/people'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { z } from 'zod'
import type { PeopleIndex } from '../audience/people-index.ts'
import type { ContentCache } from '../inbox/content-cache.ts'
import { textUnavailable } from '../inbox/presenter.ts'
import { withdrawnText } from '../inbox/stored-text.ts'
import {
  currentRecipients,
  headOf,
  headRef,
  itemList,
  itemOf,
  recipientsOf,
  recipientsRef,
  resentRef,
} from '../read-model.ts'
import { timesOf } from './recipient-times.ts'
import type { RecipientGroup } from './recipients-view.ts'

type PersonDeliveries = Pick<z.output<(typeof getPerson)['response']>, 'person' | 'deliveries'>

const maxDeliveries = 50

/** A recipient without an outcome is pending. */
export const groupOf = (
  recipients: unknown,
  resent: unknown,
  userId: UserId,
): RecipientGroup & { readonly postponedUntil?: string } => {
  const { settled, postponed = [] } = currentRecipients(recipientsOf(recipients), recipientsOf(resent))
  const group = settled.find(({ userIds }) => userIds.includes(userId))
  if (group) return { status: group.state, reason: group.reason }
  const waiting = postponed.find(({ userIds }) => userIds.includes(userId))
  if (!waiting) return { status: 'pending' }
  return { status: 'pending', reason: deliveryReasons.postponed, postponedUntil: waiting.until }
}

type PersonDeliveriesDeps = {
  readonly readModel: Pick<ReadStore, 'get' | 'getMany' | 'range' | 'entries'>
  readonly contentCache: ContentCache
  readonly people: Pick<PeopleIndex, 'snapshot'>
}

/** Reads a user's last notifications with their delivery status. */
export const createPersonDeliveries = ({ readModel, contentCache, people }: PersonDeliveriesDeps) => {
  const deliveriesTo = async (userId: UserId): Promise<PersonDeliveries['deliveries']> => {
    const bucket = bucketKey(userId)
    const [knownHead, entries] = await Promise.all([
      readModel.get(headRef(userId)),
      readModel.range(bucket, itemList(userId), { order: 'descending', limit: maxDeliveries }),
    ])
    const head = headOf(knownHead)
    const items = entries.map(({ member, value }) => ({
      notificationId: notificationIdSchema.parse(member),
      item: itemOf(value),
    }))
    const [texts, recipients, resent, times] = await Promise.all([
      contentCache.many(items.map(({ notificationId }) => notificationId)),
      readModel.getMany(items.map(({ notificationId }) => recipientsRef(bucket, notificationId))),
      readModel.getMany(items.map(({ notificationId }) => resentRef(bucket, notificationId))),
      Promise.all(items.map(({ item }) => timesOf(readModel, userId, item, head))),
    ])
    return items.map(({ notificationId, item }, index) => {
      const shown = item.withdrawnAt === undefined ? texts[index] : withdrawnText(notificationId)
      const { title, type } = shown ?? textUnavailable(notificationId)
      const { status, reason, postponedUntil } = groupOf(recipients[index], resent[index], userId)
      const says = postponedUntil === undefined ? explainDelivery(status, reason) : explainPostponed(postponedUntil)
      return { notificationId, title, type, status, ...(reason !== undefined && { reason }), says, ...times[index] }
    })
  }

  /** Undefined for an unknown or deleted user. */
  return async (userId: UserId): Promise<PersonDeliveries | undefined> => {
    const person = (await people.snapshot()).person(userId)
    return person && { person, deliveries: await deliveriesTo(userId) }
  }
}
export type ReadPersonDeliveries = ReturnType<typeof createPersonDeliveries>
