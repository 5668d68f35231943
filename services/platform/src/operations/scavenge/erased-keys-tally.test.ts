import { expect, it } from 'vitest'
import { createErasedKeysTally, type ScavengeRecord } from './erased-keys-tally.ts'

type Event = 'erased' | 'point' | `done ${string}`

const at = new Date('2026-11-22T12:00:00Z')

/** Takes the records in chronological order. */
const keysAfter = (nodes: number, happened: readonly Event[]) => {
  const tally = createErasedKeysTally(nodes)
  const records = happened.map((event, index): ScavengeRecord => {
    if (event === 'erased') return { kind: 'key-ended', position: BigInt(index) }
    if (event === 'point') return { kind: 'point', position: BigInt(index) }
    return { kind: 'completed', node: event.slice('done '.length), at }
  })
  let read = 0
  for (const record of records.toReversed()) {
    read += 1
    if (!tally.add(record)) break
  }
  return { ...tally.result(false), read }
}

it('counts all erased keys of a store that was never scavenged', () => {
  expect(keysAfter(1, ['erased', 'erased'])).toEqual({ keys: 2, isAtLeast: false, read: 2 })
})

it('counts only keys after the last completed scavenge, and stops there', () => {
  const happened: Event[] = ['erased', 'point', 'done a', 'erased', 'point', 'done a', 'erased']
  expect(keysAfter(1, happened)).toEqual({ keys: 1, isAtLeast: false, scavengedAt: at.toISOString(), read: 3 })
})

it('counts a key erased during the scavenge', () => {
  expect(keysAfter(1, ['point', 'erased', 'done a']).keys).toBe(1)
})

it('counts keys erased after an interrupted scavenge if the next one only completed it', () => {
  expect(keysAfter(1, ['erased', 'point', /* interrupted */ 'erased', 'done a']).keys).toBe(1)
  expect(keysAfter(1, ['erased', 'point', 'erased', 'done a', 'point', 'done a']).keys).toBe(0)
})

it('counts a key until every node of a cluster has scavenged it', () => {
  const happened: Event[] = ['erased', 'point', 'done a', 'done b']
  expect(keysAfter(3, happened)).toMatchObject({ keys: 1 })
  expect(keysAfter(3, happened).scavengedAt).toBeUndefined()
  expect(keysAfter(3, [...happened, 'done c'])).toMatchObject({ keys: 0, scavengedAt: at.toISOString() })
  expect(keysAfter(3, [...happened, 'done c', 'erased', 'point', 'done a', 'done b'])).toMatchObject({ keys: 1 })
})

it('does not count a scavenge of a server that sets no scavenge points', () => {
  expect(keysAfter(1, ['erased', 'done a']).keys).toBe(1)
})
