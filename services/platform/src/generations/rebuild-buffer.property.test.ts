import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type BufferLimits, createRebuildBuffer, defaultBufferLimits } from './rebuild-buffer.ts'
import type { ProjectionData } from '../projection/projection.ts'
import type { ReadModel, Write } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'

const name = fc.constantFrom('a', 'b', 'c')
const partition = fc.constantFrom('p', 'q')
const value = fc.integer({ min: 0, max: 9 })
/** Scores follow from the member, so that no two members of a list ever have the same. */
const scoreOf = (member: string, round: number): number => (member.codePointAt(0) ?? 0) + 1_000 * round

type Step =
  | { readonly kind: 'commit'; readonly partition: string; readonly writes: readonly Write[] }
  | { readonly kind: 'immutable'; readonly partition: string; readonly key: string; readonly value: number }
  | { readonly kind: 'look'; readonly partition: string; readonly key: string }
  | { readonly kind: 'flush' }

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ op: fc.constant('put' as const), collection: name, key: name, value }),
  fc.record({ op: fc.constant('delete' as const), collection: name, key: name }),
  fc.record({ list: name, member: name, round: value, value }).map(({ list, member, round, value: held }) => ({
    op: 'add' as const,
    list,
    member,
    score: scoreOf(member, round),
    value: held,
  })),
  fc.record({ op: fc.constant('remove' as const), list: name, member: name }),
  fc.record({ op: fc.constant('trim' as const), list: name, upToScore: fc.integer({ min: 0, max: 9_000 }) }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      partition,
      writes: fc.array(write, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('immutable' as const), partition, key: name, value }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const), partition, key: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
)

const seen = async (model: ProjectionData, at: string, key: string): Promise<unknown> => ({
  position: await model.position('projection', at),
  document: await model.get({ partition: at, collection: key, key }),
  documents: await model.getMany(['a', 'b', 'c'].map((other) => ({ partition: at, collection: key, key: other }))),
  immutable: await model.get({ partition: at, collection: 'immutable', key }),
  entry: await model.entry(at, key, 'a'),
  entries: await model.entries(at, [{ list: 'a', member: key }, { list: key, member: 'b' }]), // prettier-ignore
  range: await model.range(at, key, { order: 'descending', limit: 10 }),
  some: await model.range(at, key, { from: 1_000, to: 5_100, order: 'ascending', limit: 2 }),
})

const inMemory = (namespace: string) => openSqliteReadModel({ path: ':memory:', namespace })
const digestsOf = async (model: ReadModel) => Promise.all(['p', 'q'].map((at) => model.digest('projection', at)))

const play = async (steps: readonly Step[], limits: BufferLimits): Promise<void> => {
  const plain = inMemory('plain')
  const target = inMemory('target')
  const buffered = await createRebuildBuffer(target, limits)
  let commits = 0
  for (const done of steps) {
    if (done.kind === 'look') {
      expect(await seen(buffered, done.partition, done.key)).toEqual(await seen(plain, done.partition, done.key))
    } else if (done.kind === 'flush') {
      await buffered.flush()
      expect(await digestsOf(target)).toEqual(await digestsOf(plain))
    } else if (done.kind === 'immutable') {
      const ref = { partition: done.partition, collection: 'immutable', key: done.key }
      for (const model of [plain, buffered]) await model.putImmutable(ref, done.value)
    } else {
      const position = String(++commits).padStart(6, '0')
      for (const model of [plain, buffered]) {
        const expected = await model.position('projection', done.partition)
        const messageId = commits % 3 === 0 ? undefined : `m${commits}`
        const change = { projection: 'projection', partition: done.partition, expected, position }
        const commit = { ...change, messageId, writes: done.writes }
        expect(await model.commit(commit)).toBe('committed')
        expect(await model.commit({ ...commit, expected: 'elsewhere', position: 'f' })).toBe('conflict')
      }
    }
  }
  await buffered.flush()
  expect(await digestsOf(target)).toEqual(await digestsOf(plain))
  expect(await target.positionIds('projection')).toEqual(await plain.positionIds('projection'))
  await plain.close()
  await target.close()
}

it('reads and ends like the read model behind it, with any pending writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => play(steps, defaultBufferLimits)),
    { numRuns: 100 },
  )
})

it('does so with a tiny buffer on existing data, too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) =>
      play(steps, { rows: 3, writesPerPartition: 3, writesInFlight: 4 }),
    ),
    { numRuns: 100 },
  )
})
