import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import { audienceProjection } from './audience/projection.ts'
import { auditProjection } from './audit/projection.ts'
import { auditPublisher, operationPublisher } from './audit/publish.ts'
import { campaignPublisher } from './campaign/publish.ts'
import { deviceProjection } from './device/projection.ts'
import { devicePublisher } from './device/decider.ts'
import { inboxProjection } from './inbox/projection.ts'
import { inboxPublisher } from './inbox/publish.ts'
import { recipientProjection } from './known-recipients/projection.ts'
import { draftPublisher } from './draft/decider.ts'
import { draftProjection } from './draft/projection.ts'
import { preferencesPublisher } from './preferences/decider.ts'
import { preferencesProjection } from './preferences/projection.ts'
import { templatePublisher } from './template/decider.ts'
import { templateProjection } from './template/projection.ts'
import { unseenMailPublisher } from './unseen-mail/decider.ts'

/**
 * Translates recorded events into messages. Together with the projections it is all that a replay needs of this
 * context, without side effects.
 */
export const notificationsPublishers: readonly Publisher[] = [
  campaignPublisher,
  inboxPublisher,
  devicePublisher,
  preferencesPublisher,
  draftPublisher,
  templatePublisher,
  unseenMailPublisher,
  auditPublisher,
  operationPublisher,
]
export const notificationsProjections: readonly Projection[] = [
  inboxProjection,
  recipientProjection,
  deviceProjection,
  audienceProjection,
  preferencesProjection,
  draftProjection,
  templateProjection,
  auditProjection,
]
