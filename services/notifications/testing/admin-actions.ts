import type { NotificationId } from '@portal/contracts/shared/ids'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventStore } from '@portal/platform/event-store/port'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { createCampaignStates } from '../src/actions/campaign-states.ts'
import { createCancelCampaign } from '../src/actions/cancel-campaign.ts'
import { createResendableRecipients } from '../src/actions/resend-campaign.ts'
import { createCampaignProgress } from '../src/campaign/progress.ts'
import { createResendCampaign } from '../src/actions/resend-campaign.ts'
import type { Devices } from '../src/device/devices.ts'
import type { ProjectedLog } from './projected-log.ts'
import { userIdAt } from './samples.ts'

/** The actions of an admin, on read models that may be behind. */
export const createAdminActions = (deps: {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly inboxes: ProjectedLog
  readonly devices: Pick<Devices, 'holders'>
  readonly elapsedMs: () => number
}) => {
  const { eventStore, inboxes, devices, elapsedMs } = deps
  const { readModel } = inboxes
  const states = createCampaignStates(eventStore)
  const clockAndIds = { newId: systemClockAndIds.newId, elapsedMs }
  const progress = createCampaignProgress(readModel)
  const whenApplied: Checkpoints['whenApplied'] = (projection, partition, position) =>
    readModel.whenApplied(projection, partition, position, 0)
  const cancel = createCancelCampaign({ eventStore, readModel, progress, states, clockAndIds, timeoutMs: 0 })
  const resend = createResendCampaign({
    eventStore,
    readModel: { whenApplied },
    resendable: createResendableRecipients({
      readModel,
      devices,
      recipients: { find: async (userIds) => new Set(userIds) },
    }),
    states,
    clockAndIds,
    maxRecipientsPerAppend: 2,
  })
  const by = { requestedBy: userIdAt(0), reason: '' }
  return {
    cancel: async (notificationId: NotificationId): Promise<void> => {
      await cancel({ notificationId, ...by }, {})
    },
    resend: async (notificationId: NotificationId): Promise<void> => {
      await resend({ notificationId, ...by }, undefined, {})
    },
  }
}
