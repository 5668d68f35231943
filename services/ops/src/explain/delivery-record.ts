import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { DeliveryStatus } from '@portal/contracts/notifications/notification'
import { groupOf } from '@portal/notifications/recipients/person-deliveries'
import { readRecipientTimes } from '@portal/notifications/recipients/recipient-times'
import { pendingDeliveriesProjection, readPending } from '@portal/notifications/delivery/pending-deliveries'
import { deviceDecider } from '@portal/notifications/device/decider'
import {
  inboxProjectionName,
  isMarkedAsUnread,
  itemList,
  itemOf,
  recipientsRef,
  resentRef,
} from '@portal/notifications/read-model'
import { inboxCategory, parseInboxEvent } from '@portal/notifications/inbox/events'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { unseenMailDecider } from '@portal/notifications/unseen-mail/decider'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { deadLetterFrom, deadLetterList, reasonOf } from '@portal/platform/projection/dead-letters'
import type { Entry } from '@portal/platform/read-model/port'
import { reasonLine } from '../output/command-logger.ts'
import type { EventLog } from '../settings/open-engines.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'
import { type CampaignRecord, loadCampaign, type Occurrence, timeOf } from './campaign-record.ts'

export type Device = {
  readonly registeredAt: string
  readonly removed?: { readonly at: string; readonly reason: string }
}

/** Everything recorded about one notification and one recipient. A missing field means that it has not happened. */
export type DeliveryRecord = CampaignRecord & {
  readonly userId: UserId
  readonly notificationId: NotificationId
  readonly now: string
  /** How long open tabs can confirm a notification before it is pushed. */
  readonly graceMs: number
  readonly registeredAt?: string
  readonly erasedAt?: string
  /** The state of the inbox projection in the user's bucket. */
  readonly projection: { readonly position?: string; readonly parkedBecause?: string }
  /** Set if the inbox has the notification. */
  readonly arrival?: {
    readonly seq: number
    readonly number: number
    readonly withdrawnAt?: string
    readonly isMarkedUnread?: true
    /** It was withdrawn before the user read it. */
    readonly wasUnread?: true
  }
  /** Whether the pending deliveries list it. */
  readonly isOpenInLedger: boolean
  readonly read?: Occurrence & { readonly how: 'by itself' | 'with all others' }
  /** When an e-mail told the user of it. */
  readonly emailedAt?: string
  readonly devices: readonly Device[]
  /** What the console shows. */
  readonly shown:
    | { readonly status: DeliveryStatus; readonly reason?: string | undefined; readonly isRead: boolean }
    | { readonly unreadable: string }
}

type Log = Pick<EventLog, 'read' | 'subscribe'>
type ReadModels = Pick<ServingReadModels, 'of'>
type Recipient = Pick<DeliveryRecord, 'userId' | 'notificationId'>

const loadAccount = async (log: Log, userId: UserId): Promise<Pick<DeliveryRecord, 'registeredAt' | 'erasedAt'>> => {
  let record: Pick<DeliveryRecord, 'registeredAt' | 'erasedAt'> = {}
  for await (const { type, at } of log.read(streamOf('user', userId))) {
    if (type === 'UserRegistered') record = { ...record, registeredAt: at }
    if (type === 'UserErased') record = { ...record, erasedAt: at }
  }
  return record
}

const arrivalOf = ({ score, value }: Entry): NonNullable<DeliveryRecord['arrival']> => {
  const item = itemOf(value)
  return {
    seq: item.seq,
    number: score,
    ...(item.withdrawnAt !== undefined && { withdrawnAt: item.withdrawnAt }),
    ...(isMarkedAsUnread(item) && { isMarkedUnread: true }),
    ...(item.wasUnread && { wasUnread: true }),
  }
}

const loadInbox = async (
  readModels: ReadModels,
  { userId, notificationId }: Recipient,
  targetedAt: string | undefined,
): Promise<Pick<DeliveryRecord, 'projection' | 'arrival'>> => {
  const readModel = (await readModels.of(inboxProjection))?.readModel
  if (readModel === undefined) return { projection: {} }
  const bucket = bucketKey(userId)
  const [position, entry, parked] = await Promise.all([
    readModel.position(inboxProjectionName, bucket),
    readModel.entry(bucket, itemList(userId), notificationId),
    targetedAt === undefined ? undefined : readModel.entry(bucket, deadLetterList(inboxProjectionName), targetedAt),
  ])
  return {
    projection: {
      ...(position !== undefined && { position }),
      ...(parked && { parkedBecause: reasonLine(deadLetterFrom(bucket, parked).reason) }),
    },
    ...(entry && { arrival: arrivalOf(entry) }),
  }
}

/** Reads what the console shows. A damaged document does not end the explanation, because the log has its own answer. */
const loadShown = async (
  readModels: ReadModels,
  { userId, notificationId }: Recipient,
): Promise<DeliveryRecord['shown']> => {
  const readModel = (await readModels.of(inboxProjection))?.readModel
  if (readModel === undefined) return { unreadable: 'the inbox projection has no data' }
  const bucket = bucketKey(userId)
  try {
    const [[recipients, resent], [times]] = await Promise.all([
      readModel.getMany([recipientsRef(bucket, notificationId), resentRef(bucket, notificationId)]),
      readRecipientTimes(readModel, notificationId, [userId]),
    ])
    return { ...groupOf(recipients, resent, userId), isRead: times?.readAt !== undefined }
  } catch (error) {
    return { unreadable: reasonOf(error) }
  }
}

/** The `seq` of a notification in the active inbox. */
type SeqOf = (notificationId: NotificationId) => Promise<number | undefined>

const seqIn =
  (readModels: ReadModels, userId: UserId): SeqOf =>
  async (notificationId) => {
    const readModel = (await readModels.of(inboxProjection))?.readModel
    const entry = await readModel?.entry(bucketKey(userId), itemList(userId), notificationId)
    return entry && itemOf(entry.value).seq
  }

/** The first event that marks the notification as read: its own, or a mark-all after its arrival. None after a withdrawal. */
const loadRead = async (
  log: Log,
  { userId, notificationId }: Recipient,
  arrival: DeliveryRecord['arrival'],
  seqOf: SeqOf,
): Promise<Pick<DeliveryRecord, 'read'>> => {
  if (arrival?.wasUnread) return {}
  for await (const recorded of log.read(streamOf(inboxCategory, userId))) {
    const { position } = recorded
    const at = timeOf(recorded)
    const event = parseInboxEvent(recorded)
    if (event.type === 'NotificationRead') {
      if (event.data.notificationId === notificationId) return { read: { at, position, how: 'by itself' } }
    } else if (event.type === 'AllNotificationsRead' && arrival !== undefined) {
      const { newestId, readUpTo } = event.data
      const upTo = newestId === undefined ? readUpTo : await seqOf(newestId)
      if (upTo !== undefined && upTo >= arrival.seq) return { read: { at, position, how: 'with all others' } }
    }
  }
  return {}
}

const loadEmailed = async (
  log: Log,
  { userId, notificationId }: Recipient,
): Promise<Pick<DeliveryRecord, 'emailedAt'>> => {
  for await (const recorded of log.read(streamOf(unseenMailDecider.category, userId)))
    if (unseenMailDecider.parse(recorded).data.notificationIds.includes(notificationId))
      return { emailedAt: timeOf(recorded) }
  return {}
}

const loadDevices = async (log: Log, userId: UserId): Promise<readonly Device[]> => {
  const devices = new Map<string, Device>()
  for await (const { type, data, at } of readLogToEnd(log, 'start', { categories: ['device'] })) {
    const event = deviceDecider.parse({ type, data })
    if (event.data.userId !== userId) continue
    const { tokenIndex } = event.data
    const known = devices.get(tokenIndex)
    if (event.type === 'PushTokenRegistered')
      devices.set(tokenIndex, { registeredAt: known?.removed ? at : (known?.registeredAt ?? at) })
    else if (known && event.type !== 'PushTokenUsed') {
      const reason = event.type === 'PushTokenRevoked' ? 'by the user' : event.data.reason
      devices.set(tokenIndex, { ...known, removed: { at, reason } })
    }
  }
  return [...devices.values()]
}

const isOpenInLedger = async (
  readModels: ReadModels,
  userId: UserId,
  notificationId: NotificationId,
): Promise<boolean> => {
  const ledger = (await readModels.of(pendingDeliveriesProjection))?.readModel
  if (ledger === undefined) return false
  const open = await readPending(ledger, bucketKey(userId))
  return open.some(
    (one) =>
      one.notificationId === notificationId && [...one.pending, ...one.active, ...one.postponed].includes(userId),
  )
}

/** Loads the record of a delivery from the log and the active read models. */
export const loadDeliveryRecord = async (
  log: Log,
  readModels: ReadModels,
  whom: Recipient,
  { now, graceMs }: Pick<DeliveryRecord, 'now' | 'graceMs'>,
): Promise<DeliveryRecord> => {
  const { userId, notificationId } = whom
  // Before the log, which then has everything that it shows.
  const shown = await loadShown(readModels, whom)
  const [account, campaign] = await Promise.all([loadAccount(log, userId), loadCampaign(log, whom)])
  const inbox = await loadInbox(readModels, whom, campaign.targeted?.position)
  const [read, emailed, devices, isOpen] = await Promise.all([
    loadRead(log, whom, inbox.arrival, seqIn(readModels, whom.userId)),
    loadEmailed(log, whom),
    loadDevices(log, userId),
    isOpenInLedger(readModels, userId, notificationId),
  ])
  return {
    ...whom,
    now,
    graceMs,
    ...account,
    ...campaign,
    ...inbox,
    ...read,
    ...emailed,
    devices,
    isOpenInLedger: isOpen,
    shown,
  }
}
