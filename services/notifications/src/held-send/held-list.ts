import type { HeldSend } from '@portal/contracts/notifications/held-send'
import { notificationIdSchema, userIdSchema, type NotificationId, type UserId } from '@portal/contracts/shared/ids'
import type { Entry, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { campaignPartition } from '../read-model.ts'

/** Members are notification ids, scores are when they are due in ms since the epoch. Nothing stays in it for long. */
const heldList = 'held-campaigns'

const heldSchema = z.object({ sentBy: userIdSchema, title: z.string(), targeted: z.number().int() })

export const addHeld = (data: NotificationsEventOf<'CampaignHeld'>['data']): readonly Write[] => {
  const { notificationId, title, sentBy, targeted, dueAt } = data
  const value = { sentBy, title, targeted }
  return [{ op: 'add', list: heldList, member: notificationId, score: Date.parse(dueAt), value }]
}

/** Removes a campaign from the list. Has no effect for one that was never held. */
export const removeHeld = (notificationId: NotificationId): Write => ({
  op: 'remove',
  list: heldList,
  member: notificationId,
})

type HeldCampaign = z.infer<typeof heldSchema> & { readonly notificationId: NotificationId; readonly dueAtMs: number }

const heldOf = ({ member, score, value }: Entry): HeldCampaign => ({
  notificationId: notificationIdSchema.parse(member),
  dueAtMs: score,
  ...heldSchema.parse(value),
})

/** Held sends of all admins together. */
const maxRead = 1_000
const maxListed = 100

/** The held sends of all admins that are due at `fromMs` or later, the next one first. */
export const readHeld = async (readModel: Pick<ReadStore, 'range'>, fromMs = 0): Promise<readonly HeldCampaign[]> =>
  (await readModel.range(campaignPartition, heldList, { from: fromMs, order: 'ascending', limit: maxRead })).map(heldOf)

/** The held sends of one admin. */
export const createHeldReader =
  (readModel: Pick<ReadStore, 'range'>, now: () => Date) =>
  async (sentBy: UserId): Promise<HeldSend[]> => {
    const own = (await readHeld(readModel)).filter((held) => held.sentBy === sentBy).slice(0, maxListed)
    return own.map(({ notificationId, title, targeted, dueAtMs }) => ({
      notificationId,
      title,
      targeted,
      dueInMs: dueAtMs - now().getTime(),
    }))
  }
export type HeldReader = ReturnType<typeof createHeldReader>
