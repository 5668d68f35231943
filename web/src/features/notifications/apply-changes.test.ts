import type { InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeInbox, idOf, type FakeInbox } from '../../testing/fake-inbox.ts'
import { applyChange, applyChanges, lacksEntry, release, viewOf, type InboxView } from './apply-changes.ts'
import { matchesFilter } from './inbox-filter.ts'

type Step =
  | { readonly do: 'arrive' }
  | { readonly do: 'read'; readonly which: number }
  | { readonly do: 'read-all' }
  | { readonly do: 'recall'; readonly which: number }
  | { readonly do: 'mark-unread'; readonly which: number }

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Step>({ do: 'arrive' }) },
    { weight: 4, arbitrary: fc.nat(25).map((which): Step => ({ do: 'read', which })) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'read-all' }) },
    { weight: 2, arbitrary: fc.nat(25).map((which): Step => ({ do: 'recall', which })) },
    { weight: 2, arbitrary: fc.nat(25).map((which): Step => ({ do: 'mark-unread', which })) },
  ),
  { maxLength: 40 },
)

const run = (inbox: FakeInbox, step: Step): InboxChange | null => {
  if (step.do === 'arrive') return inbox.arrive()
  if (step.do === 'recall') return inbox.recall(idOf(step.which))
  if (step.do === 'mark-unread') return inbox.markUnread(idOf(step.which))
  return step.do === 'read' ? inbox.read(idOf(step.which)) : inbox.readAll()
}

const shown = ({ items, pagination, epoch, seq }: InboxView) => ({ items, pagination, epoch, seq })

const afterSteps = (before: readonly Step[]) => {
  const inbox = fakeInbox()
  for (const step of before) run(inbox, step)
  return inbox
}

describe('an inbox page with changes applied', () => {
  it('always equals a fresh fetch on page 1', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const inbox = afterSteps(before)
        let view = viewOf(inbox.page(1))
        for (const step of after) {
          const change = run(inbox, step)
          if (change) view = applyChange(view, change, false)
          expect(shown(view)).toEqual(inbox.page(1))
        }
      }),
    )
  })

  it('equals a fresh fetch once the held arrivals are shown', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.tuple(fc.boolean(), steps), { maxLength: 6 }), (before, stretches) => {
        const inbox = afterSteps(before)
        let view = viewOf(inbox.page(1))
        for (const [hold, stretch] of stretches) {
          if (!hold) view = release(view)
          for (const step of stretch) {
            const change = run(inbox, step)
            if (change) view = applyChange(view, change, hold)
          }
        }
        expect(shown(release(view))).toEqual(inbox.page(1))
      }),
    )
  })

  it('equals a fresh fetch on a later page until an arrival, and keeps its rows afterwards', () => {
    const reads = steps.map((all) => all.filter((step) => step.do !== 'arrive'))
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 30 }), fc.integer({ min: 2, max: 3 }), reads, (count, page, after) => {
        const inbox = fakeInbox()
        for (let n = 0; n < count; n++) inbox.arrive()
        let view = viewOf(inbox.page(page))
        for (const step of after) {
          const change = run(inbox, step)
          if (change) view = applyChange(view, change, false)
          expect(shown(view)).toEqual(inbox.page(page))
        }
        const rows = view.items
        view = applyChange(view, inbox.arrive(), false)
        expect(release(view)).toMatchObject({ items: rows, heldCount: 1, pagination: { total: count } })
      }),
    )
  })

  it('accepts changes in batches of any size and repeated', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.nat(40), { maxLength: 8 }), (all, resumePoints) => {
        const inbox = fakeInbox()
        const start = viewOf(inbox.page(1))
        for (const step of all) run(inbox, step)
        const pieces = [...resumePoints, 0].map((since) => inbox.changedSince(since).changes)
        // The feed applies only batches without a gap; for others it requests the missing changes.
        const view = pieces.reduce(
          (before, piece) => (piece[0] && piece[0].seq > before.seq + 1 ? before : applyChanges(before, piece, false)),
          start,
        )
        expect(shown(view)).toEqual(inbox.page(1))
      }),
    )
  })

  const filters: readonly InboxFilter[] = [
    { filter: 'unread' },
    { type: ['Exam', 'General'] },
    { q: 'notice 1' },
    { filter: 'unread', q: 'text' },
  ]

  it('shows through a filter what a fetch would, and keeps rows that no longer match until the next load', () => {
    const stretches = fc.array(fc.tuple(fc.boolean(), steps), { maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...filters), steps, stretches, (filter, before, stretchesAfter) => {
        const inbox = afterSteps(before)
        let start = viewOf({ ...inbox.page(1, 10, filter), filter })
        let view = start
        for (const [hold, stretch] of stretchesAfter) {
          if (!hold) view = release(view)
          for (const step of stretch) {
            const change = run(inbox, step)
            if (change && lacksEntry(view, change)) view = start = viewOf({ ...inbox.page(1, 10, filter), filter })
            else if (change) view = applyChange(view, change, hold)
          }
        }
        const { items, seq } = release(view)
        // Each row is as the server has it.
        expect(items).toEqual(items.map(({ _id }) => inbox.find(_id)))
        const matching = items.filter((item) => matchesFilter(filter, item))
        // A page may be full of rows that no longer match, but it lacks nothing new.
        const all = inbox.matching(filter)
        expect(matching).toEqual(items.length < 10 ? all : all.slice(0, matching.length))
        // Only rows that have been shown stay.
        const known = new Set(start.items.map(({ _id }) => _id))
        expect(items.every((item) => known.has(item._id) || item.seq > start.seq)).toBe(true)
        expect(seq).toBe(inbox.head().seq)
      }),
    )
  })
})
