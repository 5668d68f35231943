import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { describe, expect, it } from 'vitest'
import { partitionOf } from './topics.ts'

const countsOf = (keys: readonly string[], partitions: number): readonly number[] =>
  Array.from(
    { length: partitions },
    (_, partition) => keys.filter((key) => partitionOf(key, partitions) === partition).length,
  )

describe('which partition a key goes to', () => {
  it.each([1, 2, 4, 8, 16, 64])('is the same number of buckets for each of %i', (partitions) => {
    expect(new Set(countsOf(allBucketKeys, partitions))).toEqual(new Set([64 / partitions]))
  })
  it('is one that exists, always the same, for any key', () => {
    for (const key of ['campaigns', 'universities', '', 'ü'.repeat(300), 'b64', 'b7']) {
      const partition = partitionOf(key, 12)
      expect([0 <= partition && partition < 12, partitionOf(key, 12)]).toEqual([true, partition])
    }
  })
})
