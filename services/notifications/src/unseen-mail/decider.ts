import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import { type Decider, ok } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { notificationsMessage } from '../bus-messages.ts'
import { type UnseenMailEvent, unseenMailEventSchema } from './events.ts'

type RecordUnseenMail = {
  readonly type: 'RecordUnseenMail'
  readonly userId: UserId
  readonly notificationIds: readonly NotificationId[]
}

type UnseenMails = { readonly count: number; readonly mailed: ReadonlySet<NotificationId> }

/** The e-mails about unread notifications to one user. */
export const unseenMailDecider: Decider<UnseenMails, RecordUnseenMail, UnseenMailEvent, never> = {
  category: 'mail',
  initial: { count: 0, mailed: new Set() },

  decide: ({ userId, notificationIds }, { mailed }) => {
    const fresh = notificationIds.filter((id) => !mailed.has(id))
    return ok(fresh.length === 0 ? [] : [{ type: 'UnseenMailSent', data: { userId, notificationIds: fresh } }])
  },

  evolve: ({ count, mailed }, { data }) => ({
    count: count + 1,
    mailed: new Set([...mailed, ...data.notificationIds]),
  }),

  parse: storedEventReader(unseenMailEventSchema),
}

/** The id of a user's next e-mail. It stays the same until that e-mail is recorded, whatever the e-mail then says. */
export const nextMailId = (userId: UserId, { count }: Pick<UnseenMails, 'count'>): string =>
  deterministicEventId('unseen-mail', userId, String(count + 1))

export const unseenMailPublisher: Publisher = {
  category: unseenMailDecider.category,
  topics: ['notifications'],
  publish: (recorded) => {
    const event = unseenMailDecider.parse(recorded)
    return [notificationsMessage(bucketKey(event.data.userId), event)]
  },
}
