import { describe, expect, it } from 'vitest'
import { discrepancyOf, earliest, type PartitionFacts, startsOf } from './start-position.ts'

const bounds = { low: 5n, high: 20n }
const position = '0012:00'
const at = { offset: 19n, position, eventId: 'x' }
const checkpoint = { position: '0012', eventId: 'x' }
const facts = (more: Partial<PartitionFacts> = {}): PartitionFacts => ({
  busPartition: 'auth-0',
  topic: 'auth',
  position: at,
  bounds,
  found: position,
  fillAtPosition: 'first',
  fillAtEnd: 'last',
  ...more,
})
const startOf = (more: Partial<PartitionFacts>, readsLogFirst = false) =>
  startsOf([facts(more)], { readsLogFirst, positionsOf: () => [facts(more).position] }).get('auth-0')

describe('where a partition continues', () => {
  it('is after its cursor if Kafka still has that message', () => {
    expect(startOf({})).toEqual({ kind: 'follow', next: 20n, fill: 'first' })
    expect(startOf({ position: { offset: 10n }, found: undefined })).toEqual({
      kind: 'follow',
      next: 11n,
      fill: 'first',
    })
    expect(startOf({ position: { offset: -1n }, bounds: { low: 0n, high: 0n }, found: undefined })).toEqual({
      kind: 'follow',
      next: 0n,
      fill: 'first',
    })
  })

  it('is in the log without a cursor, never at the first message that Kafka has', () => {
    const start = { kind: 'catch-up', because: 'no cursor', from: 'start', next: 20n, fill: 'last' }
    expect(startOf({ position: undefined, found: undefined })).toEqual(start)
  })

  it('is in the log if Kafka was reset, or retention has deleted the message', () => {
    const inLog = (because: string) => ({ kind: 'catch-up', because, from: checkpoint, next: 20n, fill: 'last' })
    const foundNothingAt = (offset: bigint) => startOf({ position: { ...at, offset }, found: undefined })
    expect(startOf({ found: '0001:00' })).toEqual(inLog('kafka was reset'))
    expect(startOf({ brokenBy: 'other fill' })).toEqual(inLog('kafka was reset'))
    expect([19n, 20n].map(foundNothingAt)).toEqual([inLog('kafka was reset'), inLog('kafka was reset')])
    const because = 'retention has passed the cursor'
    expect([3n, 4n].map(foundNothingAt)).toEqual([inLog(because), inLog(because)])
  })

  it('is in the log for a consumer that was reading it, and for one that reads it first', () => {
    const from = checkpoint
    const inLog = { position: '0012', eventId: 'x' }
    expect(startOf({ position: inLog })).toEqual({
      kind: 'catch-up',
      because: 'the log is being read',
      from,
      next: 20n,
      fill: 'last',
    })
    expect(startOf({}, true)).toEqual({
      kind: 'catch-up',
      because: 'the log is read first',
      from,
      next: 20n,
      fill: 'last',
    })
  })

  it('is after the earliest cursor of the topic after a reset, which may have moved keys', () => {
    const other = { offset: 2n, position: '0007:00', eventId: 'y' }
    const starts = startsOf([facts({ found: undefined })], { readsLogFirst: false, positionsOf: () => [at, other] })
    expect(starts.get('auth-0')).toMatchObject({ from: { position: '0007', eventId: 'y' } })
    const unknown = startsOf([facts({ found: undefined })], {
      readsLogFirst: false,
      positionsOf: () => [at, undefined],
    })
    expect(unknown.get('auth-0')).toMatchObject({ from: 'start' })
  })

  it('is its cursor if only older messages are gone', () => {
    expect(discrepancyOf(facts({ position: { ...at, offset: 5n } }))).toBeUndefined()
    expect(earliest([])).toBe('start')
  })
})
