import { type OutcomeState, outcomeStates } from '@portal/contracts/notifications/notification'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { createMemoryLog } from '@portal/notifications/testing/memory-log'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createInboxReader } from '../inbox/inbox-reader.ts'
import { createContentCache } from '../inbox/content-cache.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { campaignDecider, type CampaignState } from './decider.ts'
import { type CampaignEvent, groupByBucket, packChunks } from './events.ts'
import { createCampaignProgress } from './progress.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

const text = someText(1)
const { notificationId } = text
const admin = userIdAt(900)
const users = Array.from({ length: 12 }, (_, n) => userIdAt(n + 1))
const groups = groupByBucket(users, bucketKey)
const plannedChunks = packChunks(groups, 2).map((chunk) =>
  chunk.map(({ bucket, items }) => ({ bucket, userIds: [...items] })),
)

type Command = Parameters<typeof campaignDecider.decide>[0]
type Action =
  | { readonly kind: 'distribute'; readonly chunks: number }
  | { readonly kind: 'cancel' | 'recall' }
  | { readonly kind: 'settle'; readonly users: readonly number[]; readonly state: OutcomeState }
  | { readonly kind: 'project'; readonly events: number }

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('distribute' as const), chunks: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'recall' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      users: fc.uniqueArray(fc.nat({ max: users.length - 1 }), { minLength: 1 }),
      state: fc.constantFrom(...outcomeStates),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('project' as const), events: fc.integer({ min: 1, max: 4 }) }),
  },
)

/** A planned campaign whose projection may lag behind its stream. */
const createPlannedCampaign = () => {
  const log = createProjectedLog(inboxProjection, createMemoryLog())
  const stream = `campaign-${notificationId}`
  let state: CampaignState = campaignDecider.initial

  const record = (...events: readonly CampaignEvent[]): void => {
    if (events.length > 0) log.append(stream, ...events)
    state = events.reduce(campaignDecider.evolve, state)
  }
  const handle = (command: Command): void => {
    const decided = campaignDecider.decide(command, state)
    if (!decided.ok) throw new Error(decided.error.reason)
    record(...decided.value)
  }
  const distribute = (count: number): void => {
    const chunks = plannedChunks.slice(state.chunks, state.chunks + count)
    handle({ type: 'DistributeChunks', text, after: state.chunks, chunks })
  }
  /** Delivery settles only recipients who have it. */
  const settle = (indexes: readonly number[], outcome: OutcomeState): void => {
    const given = new Set<UserId>(
      plannedChunks.slice(0, state.chunks).flatMap((chunk) => chunk.flatMap(({ userIds }) => userIds)),
    )
    const outcomes = indexes.flatMap((index) => {
      const userId = users[index]
      return userId !== undefined && given.has(userId) ? [{ userId, state: outcome }] : []
    })
    const settled = groupByBucket(outcomes, ({ userId }) => bucketKey(userId))
    const data = { notificationId, settled: settled.map(({ bucket, items }) => ({ bucket, outcomes: [...items] })) }
    record({ type: 'RecipientsSettled', data })
  }

  record(
    ...plannedChunks.map((recipients) => ({
      type: 'RecipientsPlanned' as const,
      data: { planId: 'plan-1', recipients },
    })),
  )
  const buckets = groups.map(({ bucket }) => bucket)
  handle({ type: 'PlanCampaign', text, sentBy: admin, planId: 'plan-1', targeted: users.length, buckets })

  return {
    log,
    state: () => state,
    act: async (next: Action): Promise<void> => {
      if (next.kind === 'distribute') distribute(next.chunks)
      else if (next.kind === 'settle') settle(next.users, next.state)
      else if (next.kind === 'project') await log.project(next.events)
      else
        handle({
          type: next.kind === 'cancel' ? 'CancelCampaign' : 'RecallCampaign',
          notificationId,
          requestedBy: admin,
        })
    },
    distributeAll: (): void => {
      while (state.chunks < plannedChunks.length) distribute(3)
    },
  }
}

const expectSum = (progress: CampaignProgress): void => {
  const settled = outcomeStates.reduce((sum, state) => sum + progress[state], 0)
  expect(progress.pending + settled).toBe(progress.targeted)
  expect(progress.pending).toBeGreaterThanOrEqual(0)
  if (progress.distributed !== undefined) expect(progress.distributed).toBeLessThan(progress.targeted)
}

it('the statuses of a planned campaign always add up, in any order of chunks, outcomes, cancels and recalls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const campaign = createPlannedCampaign()
      const { readModel } = campaign.log
      const reader = createCampaignProgress(readModel)
      const progressNow = async () => (await reader.progressOf([notificationId]))[0]
      try {
        await campaign.log.project()
        for (const next of actions) {
          await campaign.act(next)
          const progress = await progressNow()
          if (!progress) throw new Error('the planned campaign has no progress')
          expectSum(progress)
        }
        campaign.distributeAll()
        await campaign.log.project()
        const last = await progressNow()
        expect(last?.targeted).toBe(users.length)
        expect(last?.distributed).toBeUndefined()
        const inbox = createInboxReader(readModel, {
          contentCache: createContentCache(readModel),
          fillTexts: plainTexts,
        })
        const heads = await Promise.all(users.map((userId) => inbox.head(userId)))
        const given = Object.values(campaign.state().distributed).reduce((sum, count) => sum + count, 0)
        expect(heads.filter(({ total }) => total === 1)).toHaveLength(given)
        expect(heads.filter(({ total }) => total > 1)).toEqual([])
      } finally {
        await campaign.log.close()
      }
    }),
    { numRuns: 100 },
  )
})
