import { type MissedReason, missedReasons } from '@portal/contracts/notifications/send-time'
import { notificationIdSchema, type NotificationId, userIdSchema } from '@portal/contracts/shared/ids'
import { scheduleLimits } from '@portal/contracts/notifications/schedule-limits'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Entry, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { campaignPartition } from '../read-model.ts'

/**
 * Members are notification ids, scores number the sends in the order in which they were scheduled: several can be scheduled for the
 * same moment.
 */
const scheduledList = 'scheduled-sends'

const listedSchema = z.object({
  title: z.string(),
  says: z.string(),
  sendAt: z.string(),
  sentBy: userIdSchema,
  version: z.number().int(),
  changedBy: userIdSchema.optional(),
  missed: z.enum(missedReasons).optional(),
})
type Listed = z.infer<typeof listedSchema>

const nextNumber = async (view: ReadModelView): Promise<number> => {
  const [last] = await view.range(campaignPartition, scheduledList, { order: 'descending', limit: 1 })
  return (last?.score ?? 0) + 1
}

/** Adds a scheduled send, or replaces what the list says of it. */
export const applyScheduled = async (
  { notificationId, ...value }: NotificationsEventOf<'SendScheduled' | 'ScheduledSendChanged'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const known = await view.entry(campaignPartition, scheduledList, notificationId)
  const score = known?.score ?? (await nextNumber(view))
  return [{ op: 'add', list: scheduledList, member: notificationId, score, value }]
}

export const applyMissed = async (
  { notificationId, reason }: { readonly notificationId: NotificationId; readonly reason: MissedReason },
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const known = await view.entry(campaignPartition, scheduledList, notificationId)
  if (!known) return []
  const value = { ...listedSchema.parse(known.value), missed: reason }
  return [{ op: 'add', list: scheduledList, member: notificationId, score: known.score, value }]
}

/** Removes a send from the list. Has no effect for one that was never scheduled. */
export const removeScheduled = (notificationId: NotificationId): Write => ({
  op: 'remove',
  list: scheduledList,
  member: notificationId,
})

export type ListedSend = Listed & { readonly notificationId: NotificationId; readonly sendAtMs: number }

const sendOf = ({ member, value }: Entry): ListedSend => {
  const listed = listedSchema.parse(value)
  return { notificationId: notificationIdSchema.parse(member), sendAtMs: Date.parse(listed.sendAt), ...listed }
}

/** Several processes that schedule at the same moment can exceed the limit. */
const maxRead = 2 * scheduleLimits.sends

const missedFirst = (a: ListedSend, b: ListedSend): number =>
  Number(b.missed !== undefined) - Number(a.missed !== undefined) || a.sendAtMs - b.sendAtMs

/** The scheduled sends of all admins: missed ones, then the next one first. */
export const readScheduled = async (readModel: Pick<ReadStore, 'range'>): Promise<readonly ListedSend[]> => {
  const range = { order: 'ascending', limit: maxRead } as const
  return (await readModel.range(campaignPartition, scheduledList, range)).map(sendOf).toSorted(missedFirst)
}
