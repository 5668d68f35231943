import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { describe, expect, it } from 'vitest'
import { partitionOf } from './topics.ts'

const countsOf = (keys: readonly string[], partitions: number): readonly number[] =>
  Array.from(
    { length: partitions },
    (_, partition) => keys.filter((key) => partitionOf(key, partitions) === partition).length,
  )

describe('the partition of a key', () => {
  it('gets equally many buckets among any number of partitions', () => {
    for (const partitions of [1, 2, 4, 8, 16, 64])
      expect(new Set(countsOf(allBucketKeys, partitions))).toEqual(new Set([64 / partitions]))
  })
  it('exists and is always the same, for any key', () => {
    for (const key of ['campaigns', 'universities', '', 'ü'.repeat(300), 'b64', 'b7']) {
      const partition = partitionOf(key, 12)
      expect([0 <= partition && partition < 12, partitionOf(key, 12)]).toEqual([true, partition])
    }
  })
})
