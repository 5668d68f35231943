import { type InboxItem, type NotificationType, notificationTypes } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { createBackoff, retryUntilAborted } from '@portal/platform/async/backoff'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { MailSender } from '@portal/platform/outbound/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { z } from 'zod'
import { readSomeUsers } from '../audience/read-users.ts'
import type { Devices } from '../device/devices.ts'
import type { InboxReader } from '../inbox/inbox-reader.ts'
import { nextMailId, unseenMailDecider } from './decider.ts'
import { maxShown, unseenMailOf } from './mail-text.ts'
import { maxLatenessMs } from './unseen-candidates.ts'

const dayMs = 86_400_000
/** What is unread beyond that is only counted. */
const maxRead = 100
/** Until an inbox that lags behind, or whose texts are missing, is tried again. */
const soonMs = 60_000
const recordBackoff = { firstMs: 1_000, maxMs: 60_000 }

export type UnseenMailOutcome =
  /** There is nothing to tell the user, or no way to. */
  | { readonly kind: 'none' }
  /** `rest` are the notifications that did not fit in. */
  | { readonly kind: 'sent'; readonly rest: readonly NotificationId[] }
  | { readonly kind: 'later'; readonly inMs: number }

type SendUnseenMailDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append' | 'check'>
  readonly inbox: Pick<InboxReader, 'page'>
  /** Whether the user's inbox is up to date. */
  readonly isCurrent: (userId: UserId) => Promise<boolean>
  readonly devices: Pick<Devices, 'holders'>
  /** The types of notifications of which the user wants e-mails. */
  readonly wantedTypes: (userId: UserId) => Promise<readonly NotificationType[]>
  /** The users with their encrypted profiles. */
  readonly audience: Pick<ReadStore, 'entries'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly mail: Pick<MailSender, 'send'>
  readonly origin: string
  readonly unsubscribeUrl: (userId: UserId) => string
  readonly afterMs: number
  readonly logger: Pick<Logger, 'error'>
  readonly signal: AbortSignal
}

const profileSchema = z.object({ personalEmail: z.string() })

/**
 * Sends one user one e-mail about all that is unread, if one of the candidates still is. Rejects if the e-mail could not be sent. It is
 * recorded before anything else is sent. After a crash before that, the same e-mail goes out again, under the same id.
 */
export const createSendUnseenMail = (deps: SendUnseenMailDeps) => {
  const { eventStore, inbox, devices, vault, mail, origin, afterMs, logger, signal } = deps

  /** Undefined for a user who is erased or deactivated, or has not proved the address. */
  const addressOf = async (userId: UserId): Promise<string | undefined> => {
    const [user] = await readSomeUsers(deps.audience, bucketKey(userId), [userId])
    const profile = user?.emailVerified && !user.isDeactivated ? await vault.decrypt(userId, user.profile) : undefined
    return profile === undefined ? undefined : profileSchema.parse(JSON.parse(profile)).personalEmail
  }

  const unreadOf = async (userId: UserId) => {
    const type = await deps.wantedTypes(userId)
    if (type.length === 0) return { isComplete: true, notifications: [], total: 0 }
    const all = { page: 1, limit: maxRead, filter: 'unread' } as const
    const isAllTypes = type.length === notificationTypes.length
    const page = await inbox.page(userId, isAllTypes ? all : { ...all, type: [...type] })
    return { ...page, total: page.pagination.total }
  }

  const record = async (userId: UserId, mailId: string, notificationIds: readonly NotificationId[]): Promise<void> => {
    const command = { type: 'RecordUnseenMail', userId, notificationIds } as const
    await retryUntilAborted(
      () => handleCommand(eventStore, unseenMailDecider, userId, command, { eventId: () => mailId }),
      {
        signal,
        backoff: createBackoff(recordBackoff),
        onFailure: (err) => logger.error({ err, userId }, 'a sent e-mail could not be recorded, retrying'),
      },
    )
  }

  /** `nowMs` is in milliseconds since 1970. */
  return async (userId: UserId, candidates: ReadonlySet<NotificationId>, nowMs: number): Promise<UnseenMailOutcome> => {
    let lastAt: string | undefined
    const { state } = await loadState(eventStore, unseenMailDecider, userId, (_, { at }) => void (lastAt = at))
    const isNew = ({ id }: Pick<InboxItem, 'id'>): boolean => !state.mailed.has(id)
    if ([...candidates].every((id) => state.mailed.has(id))) return { kind: 'none' }
    const waitMs = lastAt === undefined ? 0 : Date.parse(lastAt) + dayMs - nowMs
    if (waitMs > 0) return { kind: 'later', inMs: waitMs }

    if (!(await deps.isCurrent(userId))) return { kind: 'later', inMs: soonMs }
    const [holders, unread] = await Promise.all([devices.holders([userId]), unreadOf(userId)])
    const isDue = ({ id, deliveredAt }: InboxItem): boolean =>
      candidates.has(id) && nowMs - Date.parse(deliveredAt) <= afterMs + maxLatenessMs
    const due = unread.notifications.filter((item) => isNew(item) && isDue(item))
    if (holders.has(userId) || due.length === 0) return { kind: 'none' }
    if (!unread.isComplete) return { kind: 'later', inMs: soonMs }
    const to = await addressOf(userId)
    if (to === undefined) return { kind: 'none' }

    const shown = [...unread.notifications.filter(isNew), ...unread.notifications.filter((item) => !isNew(item))].slice(
      0,
      maxShown,
    )
    const mailId = nextMailId(userId, state)
    // A crash would repeat each e-mail that is not recorded, so none is sent while the log takes no writes.
    await eventStore.check()
    signal.throwIfAborted()
    const unsubscribeUrl = deps.unsubscribeUrl(userId)
    await mail.send({
      ...unseenMailOf({ shown, total: unread.total, origin, unsubscribeUrl }),
      to,
      id: mailId,
      userIds: [userId],
    })
    await record(
      userId,
      mailId,
      shown.filter(isNew).map(({ id }) => id),
    )
    return { kind: 'sent', rest: due.filter((item) => !shown.includes(item)).map(({ id }) => id) }
  }
}
export type SendUnseenMail = ReturnType<typeof createSendUnseenMail>
