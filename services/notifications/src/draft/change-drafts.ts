import type { DraftKind } from '@portal/contracts/notifications/draft-kind'
import { type DraftSummary, draftChanged, tooManyDrafts } from '@portal/contracts/notifications/drafts'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { DraftId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, type LoadedState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import { type DraftCommand, draftDecider, type DraftRejection, type DraftState, draftStreamId } from './decider.ts'
import type { DraftsReader, EncryptedSummary } from './drafts-reader.ts'
import { draftProjection, draftRef, storedDraftSchema } from './projection.ts'

const apiErrorOf: Readonly<Record<DraftRejection, ApiError>> = { changed: draftChanged, 'too-many': tooManyDrafts }

type ChangeDraftsDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<ReadStore, 'get'> & Pick<Checkpoints, 'whenApplied'>
  readonly reader: Pick<DraftsReader, 'list'>
  readonly vault: Pick<PersonalDataVault, 'encrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
}

type SaveRequest = {
  readonly userId: UserId
  readonly draftId: DraftId
  readonly kind: DraftKind
  readonly title: string
  readonly about?: string | undefined
  readonly content: string
  readonly version: number
}

type DiscardRequest = Pick<SaveRequest, 'userId' | 'draftId'> & { readonly version?: number | undefined }

/** A draft may have hundreds of long events. Only those after this version are read. */
const stateAt = (version: number): LoadedState<DraftState> | undefined =>
  version === 0 ? undefined : { state: { version, isKept: true }, revision: version - 1 }

export const createChangeDrafts = (deps: ChangeDraftsDeps) => {
  const { eventStore, readModel, reader, vault, clockAndIds } = deps

  const isFullFor = async (userId: UserId): Promise<boolean> =>
    (await reader.list(userId)).length >= limits.draftsPerAdmin

  const isStored = async ({ userId, draftId }: DraftCommand): Promise<boolean> =>
    (await readModel.get(draftRef(userId, draftId))) !== undefined

  /** Others were begun at the same moment, or it was discarded meanwhile. */
  const whyNotStored = async ({ userId }: DraftCommand): Promise<ApiError> =>
    (await isFullFor(userId)) ? tooManyDrafts : draftChanged

  /** Returns the version afterwards. */
  const handle = async (
    command: DraftCommand,
    options: Omit<Parameters<typeof handleCommand>[4], 'known'> & {
      readonly known: LoadedState<DraftState> | undefined
    },
  ): Promise<Result<number, ApiError>> => {
    const handled = await handleCommand(eventStore, draftDecider, draftStreamId(command), command, options)
    if (!handled.ok) return rejected(apiErrorOf[handled.error])
    const { position: eventPosition, state } = handled.value
    const partition = bucketKey(command.userId)
    const isProjected =
      eventPosition !== undefined &&
      (await waitForProjection(readModel, { projection: draftProjection, partition, eventPosition }))
    if (isProjected && state.isKept && !(await isStored(command))) return rejected(await whyNotStored(command))
    return ok(state.version)
  }

  return {
    save: async (request: SaveRequest, metadata: EventMetadata): Promise<Result<DraftSummary, ApiError>> => {
      const { userId, draftId, kind, title, about, content, version } = request
      const savedAt = clockAndIds.now().toISOString()
      const summary: EncryptedSummary = { title, about }
      const [encrypted, encryptedContent, isFull] = await Promise.all([
        vault.encrypt(userId, JSON.stringify(summary)),
        vault.encrypt(userId, content),
        version === 0 && isFullFor(userId),
      ])
      const handled = await handle(
        {
          type: 'SaveDraft',
          userId,
          draftId,
          kind,
          summary: encrypted,
          content: encryptedContent,
          savedAt,
          version,
          isFull,
        },
        {
          // A repetition after a lost answer is no other change.
          eventId: eventIdsOf('draft', userId, draftId, String(version), kind, title, content, about ?? ''),
          metadata,
          known: stateAt(version),
        },
      )
      if (!handled.ok) return handled
      return ok({ _id: draftId, kind, ...summary, version: handled.value, updatedAt: savedAt })
    },

    discard: async (request: DiscardRequest, metadata: EventMetadata): Promise<Result<undefined, ApiError>> => {
      const { userId, draftId } = request
      const listed = storedDraftSchema.optional().parse(await readModel.get(draftRef(userId, draftId)))
      const handled = await handle(
        { type: 'DiscardDraft', ...request },
        { eventId: eventIdsOf(clockAndIds.newId()), metadata, known: stateAt(listed?.version ?? 0) },
      )
      return handled.ok ? ok(undefined) : handled
    },
  }
}
export type ChangeDrafts = ReturnType<typeof createChangeDrafts>
