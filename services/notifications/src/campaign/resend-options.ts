import type { NotificationId } from '@portal/contracts/shared/ids'
import type { CampaignStates } from './campaign-states.ts'
import { maxAttempts } from './decider.ts'
import type { ResendableRecipients } from './failed-recipients.ts'

export type ResendOptions = {
  /** How many failed recipients have a device now. */
  readonly resendable: number
  readonly resendsLeft: number
}

type Deps = { readonly states: CampaignStates; readonly resendable: ResendableRecipients }

/**
 * Says what a resend could do now. The detail page shows it, and so loads the campaign's stream before an admin acts:
 * the action then reads only later events.
 */
export const createResendOptions =
  ({ states, resendable }: Deps) =>
  async (notificationId: NotificationId): Promise<ResendOptions> => {
    const { state } = await states(notificationId)
    if (!state.sent || state.isRecalled) return { resendable: 0, resendsLeft: 0 }
    const userIds = await resendable(notificationId, state.sent.buckets)
    return { resendable: userIds.length, resendsLeft: maxAttempts - state.attempt }
  }
