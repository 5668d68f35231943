import type { CampaignAction } from '@portal/contracts/notifications/http'
import { apiKeyIdSchema, type NotificationId, notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import { z } from 'zod'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { campaignList, campaignPartition, put } from '../read-model.ts'
import { sentCampaignOf } from '../campaign/projection.ts'

/** What admins did with a campaign, oldest first. */
export const actionsRef = (notificationId: NotificationId): DocumentRef => ({
  partition: campaignPartition,
  collection: 'campaign-actions',
  key: notificationId,
})

/** The campaigns that remind of a campaign, oldest first. */
export const remindersRef = (notificationId: NotificationId): DocumentRef => ({
  partition: campaignPartition,
  collection: 'campaign-reminders',
  key: notificationId,
})

/**
 * Members are notification ids, scores number their last action, values are CampaignChange. A reader of the whole
 * history finds in it what has changed since.
 */
export const changeList = 'campaign-changes'

const campaignChangeSchema = z.object({ at: z.string() })
export const campaignChangeOf = (value: unknown) => campaignChangeSchema.parse(value)

/** The number of the last action. */
export const lastChangeRef: DocumentRef = { partition: campaignPartition, collection: 'campaign-change', key: 'last' }

const lastChangeSchema = z.number().int().default(0)
export const lastChangeOf = (value: unknown): number => lastChangeSchema.parse(value)

/** Actions kept per campaign. Only exports are unlimited, so they make room first. */
export const maxActions = 50
const maxReminders = 50

const actionKinds = [
  'sent',
  'cancel-requested',
  'resent',
  'recalled',
  'exported',
] as const satisfies readonly CampaignAction['kind'][]

const actionSchema = z.object({
  kind: z.enum(actionKinds),
  by: userIdSchema,
  apiKeyId: apiKeyIdSchema.optional(),
  at: z.string(),
  reason: z.string().optional(),
  recipients: z.number().int().optional(),
  attempt: z.number().int().optional(),
})
export type RecordedAction = z.infer<typeof actionSchema>

const actionsSchema = z.array(actionSchema).default([])
export const actionsOf = (value: unknown): readonly RecordedAction[] => actionsSchema.parse(value)

const remindersSchema = z.array(notificationIdSchema).default([])
export const remindersOf = (value: unknown): readonly NotificationId[] => remindersSchema.parse(value)

/** The chunks of one attempt are one action. */
const isSameAttempt = (one: RecordedAction, other: RecordedAction): boolean =>
  one.attempt !== undefined && one.attempt === other.attempt

const withAction = (actions: readonly RecordedAction[], action: RecordedAction): readonly RecordedAction[] => {
  const begun = actions.find((known) => isSameAttempt(known, action))
  if (begun) {
    const recipients = (begun.recipients ?? 0) + (action.recipients ?? 0)
    return actions.map((known) => (known === begun ? { ...begun, recipients } : known))
  }
  const all = [...actions, action]
  if (all.length <= maxActions) return all
  const oldestExport = all.findIndex(({ kind }) => kind === 'exported')
  return all.toSpliced(Math.max(0, oldestExport), 1)
}

type ActionEvent = NotificationsEventOf<
  'CampaignSent' | 'CampaignPlanned' | 'CancelRequested' | 'ResendRequested' | 'CampaignRecalled' | 'RecipientsExported'
>

const actionFrom = (event: ActionEvent, at: string): RecordedAction & { readonly notificationId: NotificationId } => {
  switch (event.type) {
    case 'CampaignSent':
    case 'CampaignPlanned':
      return { notificationId: event.data.text.notificationId, kind: 'sent', by: event.data.sentBy, at }
    case 'CancelRequested': {
      const { notificationId, requestedBy: by, reason } = event.data
      return { notificationId, kind: 'cancel-requested', by, at, reason }
    }
    case 'ResendRequested': {
      const { notificationId, requestedBy: by, reason, recipients, attempt } = event.data
      return { notificationId, kind: 'resent', by, at, reason, recipients, attempt }
    }
    case 'CampaignRecalled': {
      const { notificationId, recalledBy: by, reason } = event.data
      return { notificationId, kind: 'recalled', by, at, reason }
    }
    case 'RecipientsExported': {
      const { notificationId, requestedBy: by, rows: recipients } = event.data
      return { notificationId, kind: 'exported', by, at, recipients }
    }
  }
}

/** Optional fields are absent rather than undefined, as in every stored document. */
const storedAction = ({ kind, by, apiKeyId, at, reason, recipients, attempt }: RecordedAction) => ({
  kind,
  by,
  ...(apiKeyId !== undefined && { apiKeyId }),
  at,
  ...(reason !== undefined && { reason }),
  ...(recipients !== undefined && { recipients }),
  ...(attempt !== undefined && { attempt }),
})

const linkReminder = async (event: ActionEvent, view: ReadModelView): Promise<readonly Write[]> => {
  if (event.type !== 'CampaignSent' && event.type !== 'CampaignPlanned') return []
  const { text, remindsOf } = event.data
  if (remindsOf === undefined) return []
  const known = remindersOf(await view.get(remindersRef(remindsOf)))
  return [put(remindersRef(remindsOf), [...known, text.notificationId].slice(-maxReminders))]
}

/** Dates the recall in the history, so that a page of it needs no further document. */
const markRecalled = async (event: ActionEvent, at: string, view: ReadModelView): Promise<readonly Write[]> => {
  if (event.type !== 'CampaignRecalled') return []
  const member = event.data.notificationId
  const entry = await view.entry(campaignPartition, campaignList, member)
  if (!entry) return []
  const value = { ...sentCampaignOf(entry.value), recalledAt: at }
  return [{ op: 'add', list: campaignList, member, score: entry.score, value }]
}

/** Adds what an admin did to the campaign's history. */
export const applyCampaignAction = async (
  event: ActionEvent,
  envelope: Envelope,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const at = eventTime(envelope)
  const apiKeyId = apiKeyIdSchema.safeParse(envelope.apiKeyId).data
  const { notificationId, ...done } = actionFrom(event, at)
  const action: RecordedAction = { ...done, apiKeyId }
  const [known, lastChange, reminder, recall] = await Promise.all([
    view.get(actionsRef(notificationId)),
    view.get(lastChangeRef),
    linkReminder(event, view),
    markRecalled(event, at, view),
  ])
  const actions = withAction(actionsOf(known), action).map(storedAction)
  const change = lastChangeOf(lastChange) + 1
  return [
    put(actionsRef(notificationId), actions),
    put(lastChangeRef, change),
    { op: 'add', list: changeList, member: notificationId, score: change, value: { at } },
    ...reminder,
    ...recall,
  ]
}
