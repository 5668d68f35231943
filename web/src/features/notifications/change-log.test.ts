import { describe, expect, it } from 'vitest'
import { fakeInbox } from '../../testing/fake-inbox.ts'
import { appendChanges, changesSince, emptyLog } from './change-log.ts'

const arrivals = (count: number) => {
  const inbox = fakeInbox()
  return Array.from({ length: count }, () => inbox.arrive())
}

describe('the change log', () => {
  it('brings a page up to date that was fetched before the latest changes', () => {
    const log = appendChanges(emptyLog({ epoch: 'first', seq: 0 }), arrivals(5))
    expect(changesSince(log, 3)?.map((change) => change.seq)).toEqual([4, 5])
    expect(changesSince(log, 5)).toEqual([])
  })

  it('says so when a page is older than what it holds', () => {
    const began = emptyLog({ epoch: 'first', seq: 7 })
    expect(changesSince(began, 6)).toBeNull()
    expect(changesSince(began, 7)).toEqual([])
  })

  it('is bounded, and honest about what it dropped', () => {
    const log = arrivals(450).reduce(
      (before, change) => appendChanges(before, [change]),
      emptyLog({ epoch: 'first', seq: 0 }),
    )
    expect(log.changes).toHaveLength(200)
    expect(log.since).toBe(250)
    expect(changesSince(log, 249)).toBeNull()
    expect(changesSince(log, 250)).toHaveLength(200)
  })
})
