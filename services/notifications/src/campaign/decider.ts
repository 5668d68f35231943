import type { NotificationText } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type CampaignEvent, campaignEventSchema, groupByBucket, packChunks } from './events.ts'

export type SendCampaign = {
  readonly type: 'SendCampaign'
  readonly text: NotificationText
  readonly sentBy: UserId
  readonly userIds: readonly UserId[]
  /** The existing users among `userIds`. */
  readonly knownUserIds: ReadonlySet<UserId>
  /** Of the request, if it had an Idempotency-Key. */
  readonly fingerprint?: string
}

type RecordAnswer = {
  readonly type: 'RecordAnswer'
  readonly notificationId: NotificationId
  readonly successCount: number
}

type CampaignCommand = SendCampaign | RecordAnswer

type CampaignState = {
  readonly sent?: { readonly targeted: number; readonly fingerprint?: string | undefined }
  /** Open tabs that had shown it when the sender was answered. */
  readonly successCount?: number
}

export type CampaignRejection =
  | { readonly reason: 'key-used-for-another' }
  | { readonly reason: 'none-selected' }
  | { readonly reason: 'selected-twice' | 'unknown-users'; readonly userIds: readonly UserId[] }

const repeatedIds = (userIds: readonly UserId[]): readonly UserId[] => {
  const once = new Set<UserId>()
  const repeated = new Set<UserId>()
  for (const userId of userIds) {
    if (once.has(userId)) repeated.add(userId)
    once.add(userId)
  }
  return [...repeated]
}

const send = (command: SendCampaign, { sent }: CampaignState): Result<readonly CampaignEvent[], CampaignRejection> => {
  const { text, userIds, knownUserIds, sentBy, fingerprint } = command
  if (sent) {
    const isSame = fingerprint !== undefined && sent.fingerprint === fingerprint
    if (isSame) return ok([])
    return rejected({ reason: 'key-used-for-another' })
  }
  if (userIds.length === 0) return rejected({ reason: 'none-selected' })
  const repeated = repeatedIds(userIds)
  if (repeated.length > 0) return rejected({ reason: 'selected-twice', userIds: repeated })
  const unknown = userIds.filter((userId) => !knownUserIds.has(userId))
  if (unknown.length > 0) return rejected({ reason: 'unknown-users', userIds: unknown })

  const groups = groupByBucket(userIds, bucketKey)
  return ok([
    ...packChunks(groups).map((chunk): CampaignEvent => ({
      type: 'RecipientsTargeted',
      data: { text, recipients: chunk.map(({ bucket, items }) => ({ bucket, userIds: [...items] })) },
    })),
    {
      type: 'CampaignSent',
      data: {
        text,
        sentBy,
        targeted: userIds.length,
        buckets: groups.map(({ bucket }) => bucket),
        ...(fingerprint === undefined ? {} : { fingerprint }),
      },
    },
  ])
}

/**
 * The rules of one campaign. Outcomes are recorded on the same stream without a decision; see
 * delivery/record-outcomes.ts.
 */
export const campaignDecider: Decider<CampaignState, CampaignCommand, CampaignEvent, CampaignRejection> = {
  category: 'campaign',
  initial: {},

  decide(command, state) {
    switch (command.type) {
      case 'SendCampaign':
        return send(command, state)
      // Only the first answer is recorded; retries return it.
      case 'RecordAnswer': {
        const { notificationId, successCount } = command
        if (state.successCount !== undefined) return ok([])
        return ok([{ type: 'SenderAnswered', data: { notificationId, successCount } }])
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CampaignSent':
        return { ...state, sent: { targeted: event.data.targeted, fingerprint: event.data.fingerprint } }
      case 'SenderAnswered':
        return { ...state, successCount: event.data.successCount }
      case 'RecipientsTargeted':
      case 'RecipientsSettled':
        return state
    }
  },

  parse: storedEventReader(campaignEventSchema),
}
