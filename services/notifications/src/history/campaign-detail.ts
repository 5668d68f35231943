import type { CampaignAction, getCampaign } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { z } from 'zod'
import type { PeopleIndex, PeopleSnapshot } from '../audience/people-index.ts'
import { campaignList, campaignPartition } from '../read-model.ts'
import type { CampaignStates } from '../actions/campaign-states.ts'
import { actionsOf, actionsRef, type RecordedAction, remindersOf, remindersRef } from '../actions/campaign-actions.ts'
import type { HasMailServer } from '../preferences/mail-server.ts'
import { readTimeline } from './campaign-timeline.ts'
import { maxAttempts } from '../campaign/decider.ts'
import type { ResendableRecipients } from '../actions/resend-campaign.ts'
import { adminOf, campaignRowOf, type SentItems } from './sent-items.ts'

type CampaignDetail = Omit<z.output<(typeof getCampaign)['response']>, 'success'>

type CampaignDetailDeps = {
  readonly readModel: Pick<ReadStore, 'entry' | 'getMany'>
  readonly sentItems: SentItems
  readonly resendable: ResendableRecipients
  readonly states: CampaignStates
  readonly people: Pick<PeopleIndex, 'snapshot'>
  readonly hasMailServer: HasMailServer
}

const presentAction = (
  { kind, by, apiKeyId, at, reason, recipients }: RecordedAction,
  names: Pick<PeopleSnapshot, 'person'>,
): CampaignAction => ({
  kind,
  by: adminOf(names, by),
  ...(apiKeyId !== undefined && { apiKeyId }),
  at,
  ...(reason !== undefined && { reason }),
  ...(recipients !== undefined && { recipients }),
})

const lastAttempt = (actions: readonly RecordedAction[]): number =>
  Math.max(1, ...actions.map(({ attempt = 1 }) => attempt))

/** Reads one campaign with everything that admins did and how it went over time. */
export const createCampaignDetail =
  ({ readModel, sentItems, resendable, states, people, hasMailServer }: CampaignDetailDeps) =>
  /** Undefined for an unknown campaign. */
  async (id: NotificationId): Promise<CampaignDetail | undefined> => {
    const entry = await readModel.entry(campaignPartition, campaignList, id)
    if (!entry) return undefined
    const row = campaignRowOf(entry)
    const isRecalled = row.recalledAt !== undefined
    const [[campaign], [actionDocument, reminders], timeline, canResend, names, emailAvailable] = await Promise.all([
      sentItems([row]),
      readModel.getMany([actionsRef(id), remindersRef(id)]),
      readTimeline(readModel, id, row),
      isRecalled ? [] : resendable(id, row.buckets),
      people.snapshot(),
      hasMailServer(),
    ])
    if (!campaign) return undefined
    // The admin may act on it next. An action on a large campaign otherwise starts with reading its whole stream.
    // A failure is of no consequence: the action reads it itself then, and reports what fails.
    if (campaign.progress.pending > 0 || canResend.length > 0) states(id).catch(() => undefined)
    const actions = actionsOf(actionDocument)
    return {
      campaign,
      actions: actions.map((action) => presentAction(action, names)),
      remindedBy: [...remindersOf(reminders)],
      resendable: canResend.length,
      resendsLeft: isRecalled ? 0 : maxAttempts - lastAttempt(actions),
      ...timeline,
      emailAvailable,
    }
  }
export type ReadCampaignDetail = ReturnType<typeof createCampaignDetail>
