import { limits } from '@portal/contracts/shared/rules'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, type LoadedState, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { AudienceRejection } from '../audience/resolve-audience.ts'
import type { SelectAudience } from '../audience/select-audience.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'
import {
  campaignDecider,
  type CampaignRejection,
  type CampaignState,
  earlierDecision,
  type CampaignContent,
} from './decider.ts'
import { fitsOneAppend } from './events.ts'
import { createPlanCampaign } from './plan-campaign.ts'
import type { RequestedRecipients } from './send-request.ts'

export type SendRejection =
  CampaignRejection | AudienceRejection | { readonly reason: 'too-many-selected' | 'too-many-scheduled' }

export type RecordedCampaign = {
  readonly loaded: LoadedState<CampaignState>
  /** Log position of the accepted event; undefined if this request changed nothing. */
  readonly position: Position | undefined
  /** Undefined for a large campaign, and for a repeated request with a rule. */
  readonly userIds: readonly UserId[] | undefined
}

type RecordCampaignDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly recipients: KnownRecipients
  readonly selectAudience: SelectAudience
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  /** Larger campaigns are planned. */
  readonly maxRecipientsPerAppend: number
}

type Loaded = LoadedState<CampaignState> & { readonly acceptedAt: Position | undefined }
const newCampaign: Loaded = { state: campaignDecider.initial, revision: 'no-stream', acceptedAt: undefined }

type Selected = {
  readonly userIds: readonly UserId[]
  readonly known: ReadonlySet<UserId>
  /** The programs that the rule names. */
  readonly programIds: readonly ProgramRecordId[]
}

/** The users of a request, and which of them exist. */
export const createSelectUsers =
  ({ recipients, selectAudience }: Pick<RecordCampaignDeps, 'recipients' | 'selectAudience'>) =>
  async (request: RequestedRecipients): Promise<Result<Selected, SendRejection>> => {
    const { userIds = [], audience, onlyExisting } = request
    if (audience === undefined) {
      const known = await recipients.find(userIds)
      const wanted = onlyExisting ? userIds.filter((userId) => known.has(userId)) : userIds
      return ok({ userIds: wanted, known, programIds: [] })
    }
    const selected = await selectAudience(audience)
    if (!selected.ok) return selected
    const { userIds: found, programIds } = selected.value
    if (found.length > limits.recipientsPerAudience) return rejected({ reason: 'too-many-selected' })
    return ok({ userIds: found, known: new Set(found), programIds })
  }

/** The content for the selected users. */
export const contentFor = (
  { programIds }: Pick<Selected, 'programIds'>,
  { text, ...content }: CampaignContent,
): CampaignContent => ({ ...content, text: programIds.length === 0 ? text : { ...text, programIds: [...programIds] } })

/** Records a campaign to the users of a request: in one append, or as a plan if they are too many for one. */
export const createRecordCampaign = (deps: RecordCampaignDeps) => {
  const { eventStore, maxRecipientsPerAppend } = deps
  const selectUsers = createSelectUsers(deps)
  const planCampaign = createPlanCampaign(deps)

  const load = async ({ text, fingerprint }: CampaignContent): Promise<Loaded> => {
    // Without a key, the id was created for this request.
    if (fingerprint === undefined) return newCampaign
    let acceptedAt: Position | undefined
    const loaded = await loadState(eventStore, campaignDecider, text.notificationId, ({ type }, { position }) => {
      if (type === 'CampaignSent' || type === 'CampaignPlanned') acceptedAt = position
    })
    return { ...loaded, acceptedAt }
  }

  const sendAtOnce = (
    content: CampaignContent,
    { userIds, known }: Selected,
    before: Loaded,
    metadata: EventMetadata,
  ) => {
    const { text, fingerprint } = content
    const command = { ...content, type: 'SendCampaign' as const, userIds, knownUserIds: known }
    return handleCommand(eventStore, campaignDecider, text.notificationId, command, {
      eventId: (index) => deterministicEventId('sent', text.notificationId, fingerprint ?? '', String(index)),
      isForNewStream: fingerprint === undefined,
      known: before,
      metadata,
    })
  }

  return async (
    request: RequestedRecipients,
    content: CampaignContent,
    metadata: EventMetadata,
  ): Promise<Result<RecordedCampaign, SendRejection>> => {
    const before = await load(content)
    const { held, sent, isTakenBack } = before.state
    if (held && !sent && !isTakenBack) return rejected({ reason: 'key-used-for-another' })
    const repeated = earlierDecision(content, before.state)
    if (repeated) {
      return repeated.ok ? ok({ loaded: before, position: before.acceptedAt, userIds: request.userIds }) : repeated
    }
    const selected = await selectUsers(request)
    if (!selected.ok) return selected
    const { userIds } = selected.value
    const whole = contentFor(selected.value, content)
    const isPlanned = !fitsOneAppend(userIds.length, content.text, maxRecipientsPerAppend)
    const recorded = isPlanned
      ? await planCampaign(whole, userIds, before, metadata)
      : await sendAtOnce(whole, selected.value, before, metadata)
    if (!recorded.ok) return recorded
    const { position } = recorded.value
    return ok({ loaded: recorded.value, position, userIds: isPlanned ? undefined : userIds })
  }
}
