import { learnerInvitationsPartition } from '@portal/contracts/catalog/events'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { programNumber } from '@portal/gateway/testing/sockets/programs'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLearnersFeed } from './learners-feed.ts'
import type { Applied } from './progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const positionText = (position: number) => String(position).padStart(12, '0')

/** Starts the feed with a projection whose partitions have the progress that the test sets. */
const start = () => {
  const applied = new Map<string, string>()
  const checks = new Set<() => void>()
  const sent: { readonly atMs: number; readonly programId: ProgramRecordId }[] = []
  const startedMs = performance.now()
  const whenApplied: Applied = (partition, position) =>
    new Promise((resolve) => {
      const check = (): void => {
        if ((applied.get(partition) ?? '') < position) return void checks.add(check)
        checks.delete(check)
        resolve(true)
      }
      check()
    })
  const feed = createLearnersFeed({
    emitToAdmins: (programId) => void sent.push({ atMs: performance.now() - startedMs, programId }),
    audienceApplied: whenApplied,
    learnerInvitationsApplied: whenApplied,
    logger: pino({ level: 'silent' }),
  })
  return {
    feed,
    /** Of each program that was sent, in order. */
    numbers: () => sent.map(({ programId }) => [1, 2, 3].find((n) => programNumber(n)._id === programId)),
    times: () => sent.map(({ atMs }) => atMs),
    apply: (key: string, position: number) => {
      applied.set(key === learnerInvitationsPartition ? key : `enrolled-${key}`, positionText(position))
      for (const check of checks) check()
    },
    changed: (program: number, bucket: string, position: number) =>
      feed.changed(programNumber(program)._id, bucket, positionText(position)),
  }
}

it('a change is sent at once, but not before its projection has applied it', async () => {
  const { numbers, apply, changed } = start()
  changed(1, 'b01', 1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(numbers()).toEqual([])
  apply('b02', 1)
  changed(2, 'b02', 1)
  await vi.advanceTimersByTimeAsync(0)
  expect(numbers()).toEqual([2])
  apply('b01', 1)
  await vi.advanceTimersByTimeAsync(0)
  expect(numbers()).toEqual([2, 1])
})

it('a program is sent once per second in a burst, and always after its last change', async () => {
  const { numbers, times, apply, changed } = start()
  for (let n = 1; n <= 2_500; n++) {
    const bucket = `b0${n % 10}`
    apply(bucket, n)
    changed(1, bucket, n)
    await vi.advanceTimersByTimeAsync(1)
  }
  changed(1, 'b01', 3_000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(times()).toEqual([0, 1_000, 2_000])
  apply('b01', 3_000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(numbers()).toEqual([1, 1, 1, 1])
  expect(vi.getTimerCount()).toBe(0)
  changed(1, 'b01', 3_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(numbers()).toHaveLength(5)
})

it('nothing is sent after the feed has stopped', async () => {
  const { feed, numbers, apply, changed } = start()
  apply('b01', 1)
  changed(1, 'b01', 1)
  await vi.advanceTimersByTimeAsync(0)
  changed(1, 'b01', 1)
  changed(2, 'b02', 2)
  feed.stop()
  apply('b02', 2)
  changed(3, 'b01', 1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(numbers()).toEqual([1])
})

it('an invitation is announced once its own projection has applied it', async () => {
  const { numbers, apply, changed } = start()
  changed(1, learnerInvitationsPartition, 1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(numbers()).toEqual([])
  apply(learnerInvitationsPartition, 1)
  await vi.advanceTimersByTimeAsync(0)
  expect(numbers()).toEqual([1])
})
