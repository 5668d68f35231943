import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

export type SendCampaign = {
  readonly type: 'SendCampaign'
  readonly text: NotificationText
  readonly sentBy: UserId
  readonly userIds: readonly UserId[]
  /** Those of `userIds` that exist. */
  readonly knownUserIds: ReadonlySet<UserId>
  /** Of the request, where it came with an Idempotency-Key. */
  readonly fingerprint?: string
}

type RecordAnswer = {
  readonly type: 'RecordAnswer'
  readonly notificationId: NotificationId
  readonly successCount: number
}

export type CampaignCommand = SendCampaign | RecordAnswer
