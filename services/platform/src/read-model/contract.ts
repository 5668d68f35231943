import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../event-store/port.ts'
import { InvalidCommit } from './invalid-commit.ts'
import { ReadLimitExceeded, readModelLimits } from './limits.ts'
import type { ReadModel, Write } from './port.ts'

export type ReadModelHarness = {
  /** Opens the read model; calls with the same namespace share their data, like processes that use one backend. */
  open(namespace: string): Promise<ReadModel>
  dispose(): Promise<void>
}

const put = (key: string, value: Json, collection = 'things'): Write => ({ op: 'put', collection, key, value })
const add = (member: string, score: number, value: Json = null, list = 'list'): Write => ({
  op: 'add',
  list,
  member,
  score,
  value,
})
const thing = (key: string, partition = 'p') => ({ partition, collection: 'things', key })
const everything = { order: 'ascending', limit: 1_000 } as const

/** The rules of SPEC.md's read-model section. Each adapter calls this with a harness of its own and nothing else. */
export const readModelContract = (name: string, makeHarness: () => Promise<ReadModelHarness>): void => {
  describe(`read model: ${name}`, { timeout: 30_000 }, () => {
    let harness: ReadModelHarness
    let readModel: ReadModel
    let last: string | undefined

    beforeEach(async () => {
      harness = await makeHarness()
      readModel = await harness.open('main')
      last = undefined
    })
    afterEach(() => harness.dispose())

    const commit = (partition: string, expected: string | undefined, position: string, writes: readonly Write[]) =>
      readModel.commit({ projection: 'a', partition, expected, position, writes })

    /** Commits to partition 'p' at the next position. */
    const write = async (...writes: Write[]) => {
      const position = String(Number(last ?? '0') + 1).padStart(6, '0')
      expect(await commit('p', last, position, writes)).toBe('committed')
      last = position
    }
    const members = async (list = 'list') => (await readModel.range('p', list, everything)).map((e) => e.member)

    describe('commit', () => {
      it('RM-1 writes and position become visible together', async () => {
        expect(await readModel.position('a', 'p')).toBeUndefined()
        expect(await commit('p', undefined, '001', [put('x', 1), add('m', 1)])).toBe('committed')
        expect(await readModel.position('a', 'p')).toBe('001')
        expect(await readModel.get(thing('x'))).toBe(1)
        expect(await members()).toEqual(['m'])
      })

      it('RM-2 a commit computed from another position is a conflict and changes nothing', async () => {
        await commit('p', undefined, '002', [put('x', 1)])
        expect(await commit('p', '001', '003', [put('x', 2)])).toBe('conflict')
        expect(await commit('p', undefined, '003', [put('x', 2), add('m', 1)])).toBe('conflict')
        expect(await commit('q', '001', '003', [put('x', 2)])).toBe('conflict')
        expect(await readModel.get(thing('x'))).toBe(1)
        expect(await members()).toEqual([])
        expect(await readModel.position('a', 'p')).toBe('002')
        expect(await readModel.position('a', 'q')).toBeUndefined()
      })

      it('RM-31 several commits are each answered as if made alone', async () => {
        await commit('q', undefined, '005', [put('x', 1)])
        const change = (partition: string, position: string, value: number) => ({
          projection: 'a',
          partition,
          expected: undefined,
          position,
          writes: [put('x', value), add('m', value)],
        })
        const outcomes = await readModel.commitAll([
          change('p', '007', 7),
          change('q', '008', 8),
          change('r', '009', 9),
        ])
        expect(outcomes).toEqual(['committed', 'conflict', 'committed'])
        expect(await readModel.getMany(['p', 'q', 'r'].map((partition) => thing('x', partition)))).toEqual([7, 1, 9])
        expect(await readModel.range('q', 'list', everything)).toEqual([])
        expect(await readModel.position('a', 'p')).toBe('007')
        expect(await readModel.position('a', 'q')).toBe('005')
        expect(await readModel.whenApplied('a', 'r', '009', 0)).toBe(true)
        expect(await readModel.commitAll([])).toEqual([])
      })

      it('RM-31 when one of several can never be applied, all of them may be made again one by one', async () => {
        const change = (partition: string, writes: readonly Write[]) => ({
          projection: 'a',
          partition,
          expected: undefined,
          position: '001',
          writes,
        })
        const good = change('p', [put('x', 1)])
        const bad = change('q', [add('m', 1), add('n', 1)])
        await expect(readModel.commitAll([good, bad])).rejects.toThrow(InvalidCommit)
        expect(await readModel.position('a', 'q')).toBeUndefined()
        const again = (await readModel.position('a', 'p')) === undefined ? await readModel.commit(good) : 'committed'
        expect(again).toBe('committed')
        expect(await readModel.get(thing('x'))).toBe(1)
      })

      it('RM-2 of two commits from one position exactly one is applied, whoever makes them', async () => {
        const other = await harness.open('main')
        const change = (reader: ReadModel, value: number) =>
          reader.commit({
            projection: 'a',
            partition: 'p',
            expected: undefined,
            position: '001',
            writes: [put('x', value)],
          })
        const outcomes = await Promise.all([change(readModel, 1), change(other, 2), change(readModel, 3)])
        expect(outcomes.toSorted()).toEqual(['committed', 'conflict', 'conflict'])
        expect(await readModel.get(thing('x'))).toBe(outcomes.indexOf('committed') + 1)
      })

      it('RM-3 positions are kept per projection and partition', async () => {
        await commit('p', undefined, '005', [])
        await readModel.commit({ projection: 'b', partition: 'p', expected: undefined, position: '001', writes: [] })
        expect(await readModel.position('a', 'p')).toBe('005')
        expect(await readModel.position('b', 'p')).toBe('001')
        expect(await readModel.position('a', 'q')).toBeUndefined()
        expect(await readModel.position('b', 'q')).toBeUndefined()
      })

      it('RM-4 positions are compared as text', async () => {
        await commit('p', undefined, '9', [])
        await expect(commit('p', '9', '10', [])).rejects.toThrow(InvalidCommit)
        expect(await readModel.position('a', 'p')).toBe('9')
        expect(await readModel.whenApplied('a', 'p', '10', 0)).toBe(true)
      })

      it('RM-5 refuses what can never be applied, and applies nothing of it', async () => {
        await commit('p', undefined, '002', [])
        const refused = (writes: readonly Write[], position = '003') =>
          expect(commit('p', '002', position, writes)).rejects.toThrow(InvalidCommit)
        await refused([put('x', 1)], '002')
        await refused([put('x', 1)], '001')
        await refused([put('x', 1), add('m', 1.5)])
        await refused([put('x', 1), add('m', Number.NaN)])
        await refused([put('x', 1), { op: 'trim', list: 'list', upToScore: Number.POSITIVE_INFINITY }])
        await refused([put('x', 1), add('m', 1), add('n', 1)])
        await refused(Array.from({ length: readModelLimits.writesPerCommit + 1 }, () => put('x', 1)))
        expect(await readModel.get(thing('x'))).toBeUndefined()
        expect(await members()).toEqual([])
        expect(await readModel.position('a', 'p')).toBe('002')
        // and it is as usable as before
        expect(await commit('p', '002', '003', [add('m', 1)])).toBe('committed')
        expect(await members()).toEqual(['m'])
      })

      it('RM-6 writes are applied in the order given', async () => {
        await write(
          put('x', 1),
          add('m', 1),
          put('x', 2),
          { op: 'delete', collection: 'things', key: 'x' },
          put('x', 3),
          put('x', 4),
          put('y', 1),
          { op: 'delete', collection: 'things', key: 'y' },
          { op: 'remove', list: 'list', member: 'm' },
          add('n', 1),
          add('n', 2),
          add('o', 1),
          { op: 'trim', list: 'list', upToScore: 1 },
          add('q', 1),
        )
        expect(await readModel.get(thing('x'))).toBe(4)
        expect(await readModel.get(thing('y'))).toBeUndefined()
        expect(await members()).toEqual(['q', 'n'])
      })

      it('RM-7 takes as many writes as the limit says', async () => {
        const half = readModelLimits.writesPerCommit / 2
        const writes = Array.from({ length: half }, (_, i) => [put(`k${i}`, i), add(`m${i}`, i)]).flat()
        await write(...writes)
        expect(await readModel.get(thing(`k${half - 1}`))).toBe(half - 1)
        expect(await readModel.range('p', 'list', { from: half - 2, order: 'ascending', limit: 10 })).toMatchObject([
          { member: `m${half - 2}` },
          { member: `m${half - 1}` },
        ])
      })
    })

    describe('documents', () => {
      it('RM-8 gives back the JSON that was put', async () => {
        const values: Json[] = [
          null,
          true,
          0,
          -1.5,
          1e300,
          '',
          'it\'s "quoted" \\ \n \u0001 \u2028 ü 漢 🎓',
          [],
          [1, [2, null]],
          {},
          { a: { 'b"c': ['d'] }, __proto: 1 },
          'x'.repeat(100_000),
        ]
        await write(...values.map((value, i) => put(`k${i}`, value)))
        expect(await readModel.getMany(values.map((_, i) => thing(`k${i}`)))).toEqual(values)
      })

      it('RM-9 a put replaces, a delete removes, and deleting what is not there does nothing', async () => {
        await write(put('x', { a: 1 }), put('y', 1))
        await write(put('x', { b: 2 }), { op: 'delete', collection: 'things', key: 'nothing' })
        expect(await readModel.get(thing('x'))).toEqual({ b: 2 })
        await write({ op: 'delete', collection: 'things', key: 'x' })
        expect(await readModel.get(thing('x'))).toBeUndefined()
        expect(await readModel.get(thing('y'))).toBe(1)
      })

      it('RM-10 partition, collection and key are told apart exactly', async () => {
        const names = ['a', 'A', 'a:b', 'a b', "a'b", 'ä', '漢🎓', '1', '01', 'a\u0000b', '*', '{a}']
        await write(...names.flatMap((key) => names.map((collection) => put(key, `${collection}/${key}`, collection))))
        for (const collection of names) {
          const refs = names.map((key) => ({ partition: 'p', collection, key }))
          expect(await readModel.getMany(refs)).toEqual(names.map((key) => `${collection}/${key}`))
        }
        expect(await readModel.get({ partition: 'P', collection: 'a', key: 'a' })).toBeUndefined()
        expect(await readModel.get({ partition: 'p', collection: '', key: 'aa' })).toBeUndefined()
      })

      it('RM-11 getMany answers in the order asked, across partitions, with repetitions and gaps', async () => {
        await write(put('x', 1), put('y', 2))
        await commit('q', undefined, '001', [put('x', 3)])
        expect(
          await readModel.getMany([
            thing('y'),
            thing('none'),
            thing('x', 'q'),
            thing('x'),
            thing('y'),
            thing('x', 'r'),
          ]),
        ).toEqual([2, undefined, 3, 1, 2, undefined])
        expect(await readModel.getMany([])).toEqual([])
      })

      it('RM-12 getMany takes as many as the limit says and refuses more', async () => {
        const most = readModelLimits.documentsPerRead
        await write(put('x', 1), put(`k${most - 1}`, 2))
        const found = await readModel.getMany(Array.from({ length: most }, (_, i) => thing(i === 0 ? 'x' : `k${i}`)))
        expect([found.length, found[0], found[1], found[most - 1]]).toEqual([most, 1, undefined, 2])
        await expect(readModel.getMany(Array.from({ length: most + 1 }, () => thing('x')))).rejects.toThrow(
          ReadLimitExceeded,
        )
      })

      it('RM-13 putImmutable writes once, moves no position, and leaves what is there', async () => {
        await readModel.putImmutable(thing('x'), { a: 1 })
        expect(await readModel.get(thing('x'))).toEqual({ a: 1 })
        await readModel.putImmutable(thing('x'), { a: 2 })
        expect(await readModel.get(thing('x'))).toEqual({ a: 1 })
        expect(await readModel.position('a', 'p')).toBeUndefined()
      })
    })

    describe('lists', () => {
      it('RM-14 add sets the entry of a member, replacing its score and value', async () => {
        await write(add('m', 1, 'one'), add('n', 2, 'two'))
        await write(add('m', 3, { three: 3 }))
        expect(await readModel.range('p', 'list', everything)).toEqual([
          { member: 'n', score: 2, value: 'two' },
          { member: 'm', score: 3, value: { three: 3 } },
        ])
        await write(add('m', 3, 'same score'))
        expect(await readModel.entry('p', 'list', 'm')).toEqual({ member: 'm', score: 3, value: 'same score' })
      })

      it('RM-15 a score that another member has is refused, and is free again once that one is gone', async () => {
        await write(add('m', 1))
        await expect(commit('p', last, '999', [add('n', 1)])).rejects.toThrow(InvalidCommit)
        await write({ op: 'remove', list: 'list', member: 'm' }, add('n', 1))
        await write(add('n', 2), add('o', 1))
        expect(await members()).toEqual(['o', 'n'])
      })

      it('RM-16 remove and trim take away what they name, in their list only', async () => {
        for (const list of ['list', 'other']) await write(...[1, 2, 3, 4].map((i) => add(`m${i}`, i, null, list)))
        await write({ op: 'trim', list: 'list', upToScore: 2 })
        expect(await members()).toEqual(['m3', 'm4'])
        await write(
          { op: 'remove', list: 'list', member: 'm3' },
          { op: 'remove', list: 'list', member: 'gone' },
          { op: 'remove', list: 'never-made', member: 'm' },
          { op: 'trim', list: 'never-made', upToScore: 9 },
        )
        expect(await members()).toEqual(['m4'])
        expect(await members('other')).toEqual(['m1', 'm2', 'm3', 'm4'])
        expect(await readModel.entry('p', 'list', 'm3')).toBeUndefined()
      })

      it('RM-17 range answers by score, inclusive, in the order asked, up to the limit', async () => {
        await write(...[30, -20, 10, 0, 20].map((score) => add(`m${score}`, score, { score })))
        const scores = async (range: Parameters<ReadModel['range']>[2]) =>
          (await readModel.range('p', 'list', range)).map((e) => e.score)
        expect(await scores(everything)).toEqual([-20, 0, 10, 20, 30])
        expect(await scores({ order: 'descending', limit: 2 })).toEqual([30, 20])
        expect(await scores({ from: 0, to: 20, order: 'ascending', limit: 10 })).toEqual([0, 10, 20])
        expect(await scores({ from: 0, to: 20, order: 'descending', limit: 2 })).toEqual([20, 10])
        expect(await scores({ from: 1, order: 'ascending', limit: 1 })).toEqual([10])
        expect(await scores({ to: -1, order: 'descending', limit: 10 })).toEqual([-20])
        expect(await scores({ from: 21, to: 29, order: 'ascending', limit: 10 })).toEqual([])
        expect(await scores({ from: 20, to: 0, order: 'ascending', limit: 10 })).toEqual([])
        expect(await scores({ order: 'ascending', limit: 0 })).toEqual([])
        expect(await readModel.range('p', 'none', everything)).toEqual([])
        expect(await readModel.range('q', 'list', everything)).toEqual([])
      })

      it('RM-18 range gives at most 1,000 and refuses to be asked for more', async () => {
        await write(...Array.from({ length: 1_001 }, (_, i) => add(`m${i}`, i)))
        expect(await readModel.range('p', 'list', everything)).toHaveLength(1_000)
        await expect(readModel.range('p', 'list', { order: 'ascending', limit: 1_001 })).rejects.toThrow(
          ReadLimitExceeded,
        )
      })

      it('RM-19 scores keep the whole range of safe integers', async () => {
        const { MAX_SAFE_INTEGER: max, MIN_SAFE_INTEGER: min } = Number
        await write(add('max', max), add('below', max - 1), add('min', min))
        expect((await readModel.range('p', 'list', everything)).map((e) => e.score)).toEqual([min, max - 1, max])
        expect(await readModel.range('p', 'list', { from: max, order: 'ascending', limit: 2 })).toHaveLength(1)
      })

      it('RM-20 entries answers in the order asked, across lists, with repetitions and gaps', async () => {
        await write(add('m', 1, 'a', 'l1'), add('n', 2, 'b', 'l1'), add('m', 7, 'c', 'l2'))
        expect(
          await readModel.entries('p', [
            { list: 'l2', member: 'm' },
            { list: 'l1', member: 'none' },
            { list: 'l1', member: 'm' },
            { list: 'none', member: 'm' },
            { list: 'l2', member: 'm' },
            { list: 'l1', member: 'n' },
          ]),
        ).toEqual([
          { member: 'm', score: 7, value: 'c' },
          undefined,
          { member: 'm', score: 1, value: 'a' },
          undefined,
          { member: 'm', score: 7, value: 'c' },
          { member: 'n', score: 2, value: 'b' },
        ])
        expect(await readModel.entries('p', [])).toEqual([])
        const tooMany = Array.from({ length: readModelLimits.entriesPerRead + 1 }, () => ({ list: 'l1', member: 'm' }))
        await expect(readModel.entries('p', tooMany)).rejects.toThrow(ReadLimitExceeded)
      })

      it('RM-21 lists of one name in two partitions, and members of one name in two lists, are apart', async () => {
        await write(add('m', 1, 'p'), add('m', 1, 'p2', 'list2'))
        await commit('q', undefined, '001', [add('m', 1, 'q'), add('n', 2)])
        await write({ op: 'remove', list: 'list', member: 'm' })
        expect(await members()).toEqual([])
        expect(await readModel.entry('p', 'list2', 'm')).toMatchObject({ value: 'p2' })
        expect(await readModel.entry('q', 'list', 'm')).toMatchObject({ value: 'q' })
      })
    })

    describe('waiting', () => {
      it('RM-22 answers at once for what is applied, false after the time-out for what is not', async () => {
        await commit('p', undefined, '005', [])
        expect(await readModel.whenApplied('a', 'p', '005', 1_000)).toBe(true)
        expect(await readModel.whenApplied('a', 'p', '004', 1_000)).toBe(true)
        expect(await readModel.whenApplied('a', 'p', '006', 20)).toBe(false)
        expect(await readModel.whenApplied('a', 'q', '001', 20)).toBe(false)
        expect(await readModel.whenApplied('b', 'p', '001', 20)).toBe(false)
      })

      it('RM-23 a commit answers those who wait for it or for less, and nobody else', async () => {
        const waiting = ['004', '005', '006'].map((position) => readModel.whenApplied('a', 'p', position, 30_000))
        const elsewhere = readModel.whenApplied('a', 'q', '005', 30)
        await commit('p', undefined, '005', [])
        expect(await Promise.all([waiting[0], waiting[1], elsewhere])).toEqual([true, true, false])
        await commit('p', '005', '006', [])
        expect(await waiting[2]).toBe(true)
      })

      it('RM-24 a commit made through another connection is noticed too', async () => {
        const other = await harness.open('main')
        const waiting = readModel.whenApplied('a', 'p', '005', 30_000)
        await other.commit({ projection: 'a', partition: 'p', expected: undefined, position: '005', writes: [] })
        expect(await waiting).toBe(true)
      })
    })

    describe('the whole', () => {
      it('RM-25 cursors are kept per consumer and bus partition; the last one saved counts', async () => {
        expect(await readModel.loadCursors('c')).toEqual({})
        await readModel.saveCursor('c', '0', '10')
        await readModel.saveCursor('c', '1', '11')
        await readModel.saveCursor('d', '0', '12')
        await readModel.saveCursor('c', '0', '9')
        expect(await readModel.loadCursors('c')).toEqual({ '0': '9', '1': '11' })
        expect(await readModel.loadCursors('d')).toEqual({ '0': '12' })
      })

      it('RM-26 what was committed is there after closing and opening again', async () => {
        await write(put('x', 1), add('m', 1, 'v'))
        await readModel.saveCursor('c', '0', '10')
        await readModel.close()
        const again = await harness.open('main')
        expect(await again.get(thing('x'))).toBe(1)
        expect(await again.entry('p', 'list', 'm')).toEqual({ member: 'm', score: 1, value: 'v' })
        expect(await again.position('a', 'p')).toBe(last)
        expect(await again.loadCursors('c')).toEqual({ '0': '10' })
      })

      it('RM-27 namespaces do not see each other', async () => {
        const other = await harness.open('other')
        await write(put('x', 1), add('m', 1))
        await readModel.saveCursor('c', '0', '10')
        expect(await other.get(thing('x'))).toBeUndefined()
        expect(await other.range('p', 'list', everything)).toEqual([])
        expect(await other.position('a', 'p')).toBeUndefined()
        expect(await other.loadCursors('c')).toEqual({})
      })

      it('RM-28 two connections to one namespace see the same', async () => {
        const other = await harness.open('main')
        await write(add('m', 1), put('x', 1))
        expect(await other.get(thing('x'))).toBe(1)
        expect(await other.entry('p', 'list', 'm')).toMatchObject({ score: 1 })
        const change = { projection: 'a', partition: 'p', expected: last, position: '900', writes: [add('n', 2)] }
        expect(await other.commit(change)).toBe('committed')
        expect(await members()).toEqual(['m', 'n'])
      })

      it('RM-29 check resolves while it can serve', async () => {
        await expect(readModel.check()).resolves.toBeUndefined()
      })

      it('RM-30 rejects every call once closed, those that wait too; closing twice is fine', async () => {
        const waiting = readModel.whenApplied('a', 'p', '001', 30_000)
        const [outcome] = await Promise.allSettled([waiting, readModel.close()])
        expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('closed') } })
        await readModel.close()
        const calls = [
          () => commit('p', undefined, '001', []),
          () => readModel.position('a', 'p'),
          () => readModel.whenApplied('a', 'p', '001', 1_000),
          () => readModel.putImmutable(thing('x'), 1),
          () => readModel.get(thing('x')),
          () => readModel.getMany([]),
          () => readModel.entry('p', 'list', 'm'),
          () => readModel.entries('p', []),
          () => readModel.range('p', 'list', everything),
          () => readModel.loadCursors('c'),
          () => readModel.saveCursor('c', '0', '1'),
          () => readModel.check(),
        ]
        for (const call of calls) await expect(call()).rejects.toThrow('closed')
      })
    })
  })
}
