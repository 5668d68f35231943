import type { NotificationId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { describeAudience } from '../audience/sentence.ts'
import type { SelectAudience } from '../audience/select-audience.ts'
import { recipientsRejection } from '../campaign/decider.ts'
import { createSelectUsers, type SendRejection } from '../campaign/record-campaign.ts'
import type { ScheduledContent } from '../campaign/schedule.ts'
import { type SendRequest, textOf } from '../campaign/send-request.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'

export type ScheduleRequest = SendRequest & { readonly sendAt: string }

type ScheduledContentDeps = { readonly recipients: KnownRecipients; readonly selectAudience: SelectAudience }

const byHand = (count: number): string =>
  describeAudience({}, { programNames: [], contacts: 0, added: count, removed: 0, count })

/**
 * Checks a request against the users of now, and returns what is recorded of it: addresses and codes become the ids of their
 * users.
 */
export const createScheduledContent = ({ recipients, selectAudience }: ScheduledContentDeps) => {
  const selectUsers = createSelectUsers({ recipients, selectAudience })

  const ofRule = async (
    audience: NonNullable<ScheduleRequest['audience']>,
  ): Promise<Result<Pick<ScheduledContent, 'audience' | 'says' | 'targeted'>, SendRejection>> => {
    const selected = await selectAudience(audience)
    if (!selected.ok) return selected
    const { count, sentence, contactIds } = selected.value
    const { contacts = [], contactIds: _, ...rule } = audience
    if (count === 0) return rejected({ reason: 'none-selected' })
    const named = contacts.length === 0 ? {} : { contactIds: [...contactIds] }
    return ok({ audience: { ...rule, ...named }, says: sentence, targeted: count })
  }

  const ofUsers = async (
    userIds: NonNullable<ScheduleRequest['userIds']>,
  ): Promise<Result<Pick<ScheduledContent, 'userIds' | 'says' | 'targeted'>, SendRejection>> => {
    const selected = await selectUsers({ userIds })
    if (!selected.ok) return selected
    const rejection = recipientsRejection(userIds, selected.value.known)
    if (rejection) return rejected(rejection)
    return ok({ userIds, says: byHand(userIds.length), targeted: userIds.length })
  }

  return async (
    notificationId: NotificationId,
    request: ScheduleRequest,
  ): Promise<Result<ScheduledContent, SendRejection>> => {
    const { audience, userIds = [], sendAt } = request
    const selected = audience === undefined ? await ofUsers(userIds) : await ofRule(audience)
    return selected.ok ? ok({ text: textOf(notificationId, request), sendAt, ...selected.value }) : selected
  }
}
