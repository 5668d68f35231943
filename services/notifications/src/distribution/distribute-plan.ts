import { setTimeout as sleep } from 'node:timers/promises'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { messagePosition } from '@portal/platform/bus/relay'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, type LoadedState } from '@portal/platform/decider/handle-command'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { campaignDecider, type CampaignState, type PlannedChunk } from '../campaign/decider.ts'
import { inboxProjectionRef } from '../read-model.ts'
import { type Plan, readPlan } from './read-plan.ts'

/** Chunks per append: 2,000 recipients take milliseconds, so that requests are served in between. */
const chunksPerAppend = 4

/** Appends that the inbox projection may be behind. More would only fill memory and delay other inboxes. */
const maxAppendsAhead = 2

/** Outcomes of early recipients are appended to the same stream meanwhile, and each can cause a conflict. */
const appendAttempts = 50

const projectionPollMs = 1_000
const retryMs = 100

type DistributePlanDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  /** Aborted when this process stops distributing. */
  readonly signal: AbortSignal
}

/** The last message of an append. */
type Appended = { readonly partition: string; readonly messagePosition: string }

const lastMessageOf = (chunks: readonly PlannedChunk[], position: Position | undefined): Appended | undefined => {
  const groups = chunks.at(-1)
  const partition = groups?.at(-1)?.bucket
  if (groups === undefined || partition === undefined || position === undefined) return undefined
  return { partition, messagePosition: messagePosition(position, groups.length - 1) }
}

/**
 * Puts a planned campaign into the inboxes, from where its stream says that it stopped. Each append expects the revision
 * that it was decided on. So two processes cannot distribute a chunk twice, and none is distributed after a cancel or
 * recall.
 */
export const createDistributePlan = ({ eventStore, readModel, signal }: DistributePlanDeps) => {
  const waitForInbox = async ({ partition, messagePosition: awaited }: Appended): Promise<void> => {
    const progress = {
      projection: inboxProjectionRef,
      partition,
      messagePosition: awaited,
      timeoutMs: projectionPollMs,
    }
    while (!(await waitForProjection(readModel, progress))) {
      signal.throwIfAborted()
      // An unavailable read model answers at once.
      await sleep(retryMs)
    }
  }

  const appendChunks = async (
    { planId, text }: Plan,
    chunks: readonly PlannedChunk[],
    known: LoadedState<CampaignState>,
  ) => {
    const after = known.state.chunks
    const command = { type: 'DistributeChunks' as const, text, after, chunks }
    const distributed = await handleCommand(eventStore, campaignDecider, text.notificationId, command, {
      eventId: (index) => deterministicEventId('distributed', planId, String(after + index)),
      known,
      maxAttempts: appendAttempts,
    })
    if (!distributed.ok) throw new Error(`the chunks of a plan were rejected: ${distributed.error.reason}`)
    return distributed.value
  }

  return async (notificationId: NotificationId): Promise<void> => {
    const plan = await readPlan(eventStore, notificationId)
    if (!plan) return
    const ahead: Appended[] = []
    let known = plan.loaded
    while (known.state.chunks < plan.chunks.length) {
      signal.throwIfAborted()
      const oldest = ahead.length < maxAppendsAhead ? undefined : ahead.shift()
      if (oldest) await waitForInbox(oldest)
      const chunks = plan.chunks.slice(known.state.chunks, known.state.chunks + chunksPerAppend)
      const { state, revision, position } = await appendChunks(plan, chunks, known)
      known = { state, revision }
      const last = lastMessageOf(chunks, position)
      if (last) ahead.push(last)
    }
  }
}
