import type { InboxEvent } from '../src/inbox/events.ts'
import type { CampaignEvent } from '../src/campaign/events.ts'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { OutcomeState } from '@portal/contracts/notifications/notification'

/** What an inbox is, said as plainly as possible: the measure that the projection is held against. */
type ModelItem = {
  readonly notificationId: NotificationId
  readonly seq: number
  readonly deliveredAt: string
  readAt: string | null
  state: OutcomeState | 'pending'
}
type ModelInbox = { seq: number; readonly items: ModelItem[] }

export const createInboxModel = () => {
  const inboxes = new Map<UserId, ModelInbox>()

  const inboxOf = (userId: UserId): ModelInbox => {
    let inbox = inboxes.get(userId)
    if (!inbox) {
      inbox = { seq: 0, items: [] }
      inboxes.set(userId, inbox)
    }
    return inbox
  }

  const read = (inbox: ModelInbox, which: (item: ModelItem) => boolean, at: string): void => {
    const found = inbox.items.filter((item) => item.readAt === null && which(item))
    for (const item of found) item.readAt = at
    if (found.length > 0) inbox.seq += 1
  }

  return {
    inboxOf,
    apply: (event: InboxEvent | CampaignEvent, at: string): void => {
      switch (event.type) {
        case 'RecipientsTargeted': {
          const { notificationId } = event.data.text
          for (const userId of event.data.recipients.flatMap(({ userIds }) => userIds)) {
            const inbox = inboxOf(userId)
            inbox.seq += 1
            inbox.items.push({ notificationId, seq: inbox.seq, deliveredAt: at, readAt: null, state: 'pending' })
          }
          return
        }
        case 'NotificationRead':
          return read(
            inboxOf(event.data.userId),
            ({ notificationId }) => notificationId === event.data.notificationId,
            at,
          )
        case 'AllNotificationsRead': {
          const { userId, newestId, readUpTo } = event.data
          const inbox = inboxOf(userId)
          const newest = inbox.items.find(({ notificationId }) => notificationId === newestId)
          return read(inbox, ({ seq }) => seq <= (newest?.seq ?? readUpTo), at)
        }
        case 'RecipientsSettled':
          for (const { userId, state } of event.data.settled.flatMap(({ outcomes }) => outcomes)) {
            const item = inboxOf(userId).items.find(
              ({ notificationId }) => notificationId === event.data.notificationId,
            )
            if (item?.state === 'pending') item.state = state
          }
          return
        case 'CampaignSent':
        case 'SenderAnswered':
      }
    },
  }
}
export type InboxModel = ReturnType<typeof createInboxModel>
