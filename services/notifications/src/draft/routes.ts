import {
  discardDraft,
  draftNotFound,
  getDraft,
  listDrafts,
  saveDraft,
  tooManyDraftChanges,
} from '@portal/contracts/notifications/drafts'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import type { FastifyInstance } from 'fastify'
import type { ChangeDrafts } from './change-drafts.ts'
import type { DraftsReader } from './drafts-reader.ts'

/** A form saves every ten seconds while it is typed into. */
export const draftChangesLimit: AttemptLimit = { max: 600, windowMs: 60 * 60_000 }

type DraftRoutesDeps = {
  readonly bind: BindRoute
  readonly drafts: DraftsReader
  readonly changeDrafts: ChangeDrafts
  readonly changesPerUser: AttemptLimiter
}

/** Each admin has only their own drafts: the id of another's is that of no draft. */
export const draftRoutes = (app: FastifyInstance, deps: DraftRoutesDeps): void => {
  const { bind, drafts, changeDrafts, changesPerUser } = deps

  const refusal = async (userId: UserId): Promise<ApiError | undefined> => {
    const wait = await changesPerUser.attempt(userId)
    return wait === undefined ? undefined : { ...tooManyDraftChanges(formatDuration(wait)), retryAfterSeconds: wait }
  }

  bind(app, listDrafts, async ({ session }) => ok({ success: true, drafts: await drafts.list(session.userId) }))

  bind(app, getDraft, async ({ session, params }) => {
    const draft = await drafts.one(session.userId, params.id)
    return draft ? ok({ success: true, draft }) : rejected(draftNotFound)
  })

  bind(app, saveDraft, async (call) => {
    const { userId } = call.session
    const refused = await refusal(userId)
    if (refused) return rejected(refused)
    const saved = await changeDrafts.save({ userId, draftId: call.params.id, ...call.body }, metadataOf(call))
    return saved.ok ? ok({ success: true, draft: saved.value }) : saved
  })

  bind(app, discardDraft, async (call) => {
    const { userId } = call.session
    const refused = await refusal(userId)
    if (refused) return rejected(refused)
    const request = { userId, draftId: call.params.id, version: call.query.version }
    const discarded = await changeDrafts.discard(request, metadataOf(call))
    return discarded.ok ? ok({ success: true, message: 'Draft discarded' }) : discarded
  })
}
