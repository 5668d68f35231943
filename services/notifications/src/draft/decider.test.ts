import { draftIdSchema } from '@portal/contracts/shared/ids'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { specification } from '@portal/platform/testing/decider/specification'
import { it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { type DraftCommand, draftDecider } from './decider.ts'
import type { DraftEvent } from './events.ts'

const { given } = specification(draftDecider)
const ids = { userId: userIdAt(1), draftId: draftIdSchema.parse('01900000-0000-7000-8000-000000000001') }
const content = (n: number) => ({
  kind: 'message' as const,
  summary: encryptedTextSchema.parse(`summary ${n}`),
  content: encryptedTextSchema.parse(`content ${n}`),
  savedAt: '2026-11-30T10:00:00.000Z',
})

const save = (n: number, version: number, isFull = false): DraftCommand => ({
  type: 'SaveDraft',
  ...ids,
  ...content(n),
  version,
  isFull,
})
const discard = (version?: number): DraftCommand => ({ type: 'DiscardDraft', ...ids, version })
const saved = (n: number): DraftEvent => ({ type: 'DraftSaved', data: { ...ids, ...content(n) } })
const discarded: DraftEvent = { type: 'DraftDiscarded', data: ids }

it('a draft is saved on the version that was changed, and on no other', () => {
  given([])
    .when(save(1, 0))
    .then([saved(1)])
  given([saved(1)])
    .when(save(2, 1))
    .then([saved(2)])
  for (const version of [0, 2])
    given([saved(1)])
      .when(save(2, version))
      .thenRejected('changed')
})

it('a draft that is sent does not come back from a tab that still shows it', () => {
  given([saved(1), discarded])
    .when(save(2, 1))
    .thenRejected('changed')
  given([saved(1), discarded])
    .when(save(2, 2))
    .then([saved(2)])
})

it('nobody begins more than the allowed number, but everybody can continue', () => {
  given([])
    .when(save(1, 0, true))
    .thenRejected('too-many')
  given([saved(1)])
    .when(save(2, 1, true))
    .then([saved(2)])
})

it('a draft is discarded once, with a version only if it is the last one', () => {
  given([saved(1)])
    .when(discard())
    .then([discarded])
  given([saved(1)])
    .when(discard(1))
    .then([discarded])
  given([saved(1), saved(2)])
    .when(discard(1))
    .thenRejected('changed')
  given([saved(1), discarded])
    .when(discard(1))
    .thenNothing()
  given([]).when(discard()).thenNothing()
})
