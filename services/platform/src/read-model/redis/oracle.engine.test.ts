import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { InvalidCommit } from '../errors.ts'
import type { ReadModel, Write } from '../port.ts'
import { dropRedisReadModel, openRedisReadModel } from '../redis.ts'
import { openSqliteReadModel } from '../sqlite.ts'

// Few names, so that writes affect the same rows.
const lists = ['l', 'm'] as const
const keys = ['x', 'y', 'z'] as const
const member = fc.constantFrom('a', 'b', 'c', 'd')
const score = fc.integer({ min: -2, max: 5 })
const list = fc.constantFrom(...lists)
const value = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.constant(null))

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ op: fc.constant('put' as const), collection: list, key: fc.constantFrom(...keys), value }),
  fc.record({ op: fc.constant('delete' as const), collection: list, key: fc.constantFrom(...keys) }),
  { weight: 4, arbitrary: fc.record({ op: fc.constant('add' as const), list, member, score, value }) },
  fc.record({ op: fc.constant('remove' as const), list, member }),
  fc.record({ op: fc.constant('trim' as const), list, upToScore: score }),
)
/** A stale commit was computed from the position before the last. */
const steps = fc.array(
  fc.record({ writes: fc.array(write, { maxLength: 8 }), isStale: fc.integer({ max: 9, min: 0 }).map((n) => n === 0) }),
  { minLength: 1, maxLength: 12 },
)

const adding = (name: (typeof lists)[number], entries: Record<string, number>): Write[] =>
  Object.entries(entries).map(([each, at]) => ({ op: 'add', list: name, member: each, score: at, value: null }))
const filled = [...adding('l', { a: 1, b: 2, c: 3 }), ...adding('m', { a: 1, b: 2, c: 3 })]

/** Moves scores between members within a commit, also in the second list, which random writes seldom do. */
const handedOn: readonly Write[][] = [
  [...adding('l', { a: 4, b: 1 }), ...adding('m', { a: 4, b: 1, c: 2 })],
  [...adding('l', { d: 5 }), ...adding('m', { a: 4, d: 1 })],
  [...adding('l', { d: 5 }), { op: 'remove', list: 'm', member: 'b' }, ...adding('m', { d: 2 })],
  [...adding('l', { d: 5 }), { op: 'trim', list: 'm', upToScore: 2 }, ...adding('m', { d: 2, a: 1 })],
  [{ op: 'trim', list: 'l', upToScore: 2 }, ...adding('m', { d: 2 })],
  [...adding('l', { a: 4 }), ...adding('m', { d: 1 })],
  [...adding('m', { c: 4, d: 3, a: 5, b: 1 }), ...adding('l', { c: 4, d: 3, a: 5, b: 1 })],
]
const examples = handedOn.map((writes): [{ writes: Write[]; isStale: boolean }[]] => [
  [filled, writes].map((each) => ({ writes: each, isStale: false })),
])

const contentsOf = async (readModel: ReadModel, partition: string) => {
  const refs = lists.flatMap((collection) => keys.map((key) => ({ partition, collection, key })))
  const found = await readModel.getMany(refs)
  const ranges = lists.flatMap((name) =>
    (['ascending', 'descending'] as const).map((order) => readModel.range(partition, name, { order, limit: 1_000 })),
  )
  // A missing document is not the same as null.
  return { documents: found.map((each) => (each === undefined ? [] : [each])), lists: await Promise.all(ranges) }
}

const at = (n: number) => (n === 0 ? undefined : String(n).padStart(4, '0'))

const outcomeIn = async (
  readModel: ReadModel,
  partition: string,
  from: number,
  to: number,
  writes: readonly Write[],
) => {
  try {
    const position = at(to) ?? ''
    return await readModel.commit({ projection: 'a', partition, expected: at(from), position, writes })
  } catch (error) {
    if (error instanceof InvalidCommit) return 'invalid'
    throw error
  }
}

let redis: ReadModel
let sqlite: ReadModel
const place = { url: '', namespace: 'main' }

beforeAll(async () => {
  place.url = `${inject('redisUrl')}/?prefix=t${randomUUID()}`
  redis = await openRedisReadModel(place)
  sqlite = openSqliteReadModel({ path: ':memory:', namespace: 'main' })
})
afterAll(async () => {
  await redis.close()
  await sqlite.close()
  await dropRedisReadModel(place)
})

it('RM-67 any commits end as in SQLite, and checksums differ exactly if contents do', { timeout: 60_000 }, async () => {
  const checksumOf = new Map<string, string>()
  const contentOf = new Map<string, string>()
  let partitions = 0
  const property = fc.asyncProperty(steps, async (commits) => {
    const partition = `p${partitions++}`
    let last = 0
    let before = 0
    for (const { writes, isStale } of commits) {
      const from = isStale ? before : last
      const outcomes = await Promise.all(
        [redis, sqlite].map((each) => outcomeIn(each, partition, from, last + 1, writes)),
      )
      // From a wrong position, one adapter rejects an invalid commit and the other returns a conflict.
      const told = from === last ? outcomes : outcomes.map((outcome) => (outcome === 'invalid' ? 'conflict' : outcome))
      expect(told[0]).toBe(told[1])
      if (outcomes[0] === 'committed') {
        before = last
        last += 1
      }
      const contents = await contentsOf(redis, partition)
      expect(contents).toEqual(await contentsOf(sqlite, partition))
      const digest = await redis.digest('a', partition)
      const text = JSON.stringify(contents)
      expect(checksumOf.get(text) ?? digest.checksum).toBe(digest.checksum)
      expect(contentOf.get(digest.checksum) ?? text).toBe(text)
      checksumOf.set(text, digest.checksum)
      contentOf.set(digest.checksum, text)
      expect(digest).toEqual(await sqlite.digest('a', partition))
    }
  })
  await fc.assert(property, { numRuns: 150, examples })
  expect(checksumOf.size).toBeGreaterThan(200)
})
