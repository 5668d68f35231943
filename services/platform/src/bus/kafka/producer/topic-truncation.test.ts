import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { KafkaAdmin } from '../admin.ts'
import type { Checkpoint } from './checkpoint.ts'
import { includesOffsets, TopicTruncatedError, watchForTruncation } from './topic-truncation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A Kafka with one topic of one partition, which does not answer while `high` is undefined. */
const kafkaWith = (state: { high: bigint | undefined }): KafkaAdmin => ({
  prepare: async () => new Map([['auth', 1]]),
  async bounds() {
    if (state.high === undefined) throw new Error('no answer')
    return new Map([[0, { low: 0n, high: state.high }]])
  },
  check: async () => undefined,
  close: async () => undefined,
})

const offsets = (end: bigint, partitions = 1) => ({
  ends: new Map([['auth/0', end]]),
  layout: new Map([['auth', partitions]]),
})

const checkpoint = (position: string, end: bigint): Checkpoint => ({
  position: position as Checkpoint['position'],
  ...offsets(end),
})

const atStart = { confirmed: checkpoint('start', 0n), foundOnce: checkpoint('start', 0n) }

it('finds all published messages if no partition and no message is missing', () => {
  expect(includesOffsets(offsets(5n, 2), offsets(5n, 1))).toBe(true)
  expect(includesOffsets(offsets(4n), offsets(5n))).toBe(false)
  expect(includesOffsets(offsets(5n, 1), offsets(5n, 2))).toBe(false)
})

it('aborts if Kafka has less than was published, but not while Kafka does not answer', async () => {
  const state: { high: bigint | undefined } = { high: 5n }
  const { signal, stop } = watchForTruncation(kafkaWith(state), atStart, () => checkpoint('5', 5n))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(signal.aborted).toBe(false)
  state.high = undefined
  await vi.advanceTimersByTimeAsync(2_000)
  expect(signal.aborted).toBe(false)
  state.high = 4n
  await vi.advanceTimersByTimeAsync(2_000)
  expect(signal.reason).toBeInstanceOf(TopicTruncatedError)
  stop()
})

it('confirms what two checks have found, because a topic that is being deleted still acknowledges messages', async () => {
  const state: { high: bigint | undefined } = { high: 5n }
  let reached = checkpoint('5', 5n)
  const { confirmed, signal, stop } = watchForTruncation(kafkaWith(state), atStart, () => reached)
  expect(confirmed().position).toBe('start')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(confirmed().position).toBe('start')
  reached = checkpoint('6', 6n)
  state.high = 6n
  await vi.advanceTimersByTimeAsync(2_000)
  expect(confirmed().position).toBe('5')
  state.high = 0n
  await vi.advanceTimersByTimeAsync(2_000)
  expect(signal.aborted).toBe(true)
  expect(confirmed()).toEqual(checkpoint('5', 5n))
  stop()
})
