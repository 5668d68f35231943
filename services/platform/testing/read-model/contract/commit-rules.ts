import { describe, expect, it } from 'vitest'
import { InvalidCommit } from '../../../src/read-model/errors.ts'
import { readModelLimits } from '../../../src/read-model/limits.ts'
import type { ReadModel, Write } from '../../../src/read-model/port.ts'
import { add, everything, put, thing, type UnderTest } from './harness.ts'

export const commitRules = (under: UnderTest): void => {
  const { commit, members, open, write } = under
  describe('commit', () => {
    it('RM-1 writes and position become visible together', async () => {
      expect(await under.readModel.position('a', 'p')).toBeUndefined()
      expect(await commit('p', undefined, '001', [put('x', 1), add('m', 1)])).toBe('committed')
      expect(await under.readModel.position('a', 'p')).toBe('001')
      expect(await under.readModel.get(thing('x'))).toBe(1)
      expect(await members()).toEqual(['m'])
    })

    it('RM-2 a commit computed from another position is a conflict and changes nothing', async () => {
      await commit('p', undefined, '002', [put('x', 1)])
      expect(await commit('p', '001', '003', [put('x', 2)])).toBe('conflict')
      expect(await commit('p', undefined, '003', [put('x', 2), add('m', 1)])).toBe('conflict')
      expect(await commit('q', '001', '003', [put('x', 2)])).toBe('conflict')
      expect(await under.readModel.get(thing('x'))).toBe(1)
      expect(await members()).toEqual([])
      expect(await under.readModel.position('a', 'p')).toBe('002')
      expect(await under.readModel.position('a', 'q')).toBeUndefined()
    })

    it('RM-31 commitAll answers each commit as commit would', async () => {
      await commit('q', undefined, '005', [put('x', 1)])
      const change = (partition: string, position: string, value: number) => ({
        projection: 'a',
        partition,
        expected: undefined,
        position,
        writes: [put('x', value), add('m', value)],
      })
      const outcomes = await under.readModel.commitAll([
        change('p', '007', 7),
        change('q', '008', 8),
        change('r', '009', 9),
      ])
      expect(outcomes).toEqual(['committed', 'conflict', 'committed'])
      expect(await under.readModel.getMany(['p', 'q', 'r'].map((partition) => thing('x', partition)))).toEqual([
        7, 1, 9,
      ])
      expect(await under.readModel.range('q', 'list', everything)).toEqual([])
      expect(await under.readModel.position('a', 'p')).toBe('007')
      expect(await under.readModel.position('a', 'q')).toBe('005')
      expect(await under.readModel.whenApplied('a', 'r', '009', 0)).toBe(true)
      expect(await under.readModel.commitAll([])).toEqual([])
    })

    it('RM-31 after an invalid commit, all of them can be made again one by one', async () => {
      const change = (partition: string, writes: readonly Write[]) => ({
        projection: 'a',
        partition,
        expected: undefined,
        position: '001',
        writes,
      })
      const good = change('p', [put('x', 1)])
      const bad = change('q', [add('m', 1), add('n', 1)])
      await expect(under.readModel.commitAll([good, bad])).rejects.toThrow(InvalidCommit)
      expect(await under.readModel.position('a', 'q')).toBeUndefined()
      const again =
        (await under.readModel.position('a', 'p')) === undefined ? await under.readModel.commit(good) : 'committed'
      expect(again).toBe('committed')
      expect(await under.readModel.get(thing('x'))).toBe(1)
    })

    it('RM-2 of two commits from one position exactly one is applied, also through different connections', async () => {
      const other = await open('main')
      const change = (reader: ReadModel, value: number) =>
        reader.commit({
          projection: 'a',
          partition: 'p',
          expected: undefined,
          position: '001',
          writes: [put('x', value)],
        })
      const outcomes = await Promise.all([change(under.readModel, 1), change(other, 2), change(under.readModel, 3)])
      expect(outcomes.toSorted()).toEqual(['committed', 'conflict', 'conflict'])
      expect(await under.readModel.get(thing('x'))).toBe(outcomes.indexOf('committed') + 1)
    })

    it('RM-3 positions are kept per projection and partition', async () => {
      await commit('p', undefined, '005', [])
      await under.readModel.commit({
        projection: 'b',
        partition: 'p',
        expected: undefined,
        position: '001',
        writes: [],
      })
      expect(await under.readModel.position('a', 'p')).toBe('005')
      expect(await under.readModel.position('b', 'p')).toBe('001')
      expect(await under.readModel.position('a', 'q')).toBeUndefined()
      expect(await under.readModel.position('b', 'q')).toBeUndefined()
    })

    it('RM-4 positions are compared as text', async () => {
      await commit('p', undefined, '9', [])
      await expect(commit('p', '9', '10', [])).rejects.toThrow(InvalidCommit)
      expect(await under.readModel.position('a', 'p')).toBe('9')
      expect(await under.readModel.whenApplied('a', 'p', '10', 0)).toBe(true)
    })

    it('RM-5 rejects an invalid commit and applies none of its writes', async () => {
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
      expect(await under.readModel.get(thing('x'))).toBeUndefined()
      expect(await members()).toEqual([])
      expect(await under.readModel.position('a', 'p')).toBe('002')
      // It stays usable.
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
      expect(await under.readModel.get(thing('x'))).toBe(4)
      expect(await under.readModel.get(thing('y'))).toBeUndefined()
      expect(await members()).toEqual(['q', 'n'])
    })

    it('RM-7 accepts as many writes as the limit', async () => {
      const half = readModelLimits.writesPerCommit / 2
      const writes = Array.from({ length: half }, (_, i) => [put(`k${i}`, i), add(`m${i}`, i)]).flat()
      await write(...writes)
      expect(await under.readModel.get(thing(`k${half - 1}`))).toBe(half - 1)
      expect(await under.readModel.range('p', 'list', { from: half - 2, order: 'ascending', limit: 10 })).toMatchObject(
        [{ member: `m${half - 2}` }, { member: `m${half - 1}` }],
      )
    })
  })
}

/** Rules of `whenApplied`. */
export const waitingRules = (under: UnderTest): void => {
  const { commit, open } = under
  describe('waiting', () => {
    it('RM-22 resolves true at once for an applied position, and false after the timeout for any other', async () => {
      await commit('p', undefined, '005', [])
      expect(await under.readModel.whenApplied('a', 'p', '005', 1_000)).toBe(true)
      expect(await under.readModel.whenApplied('a', 'p', '004', 1_000)).toBe(true)
      expect(await under.readModel.whenApplied('a', 'p', '006', 20)).toBe(false)
      expect(await under.readModel.whenApplied('a', 'q', '001', 20)).toBe(false)
      expect(await under.readModel.whenApplied('b', 'p', '001', 20)).toBe(false)
    })

    it('RM-23 a commit resolves waits for its position or a lower one, and no others', async () => {
      const waiting = ['004', '005', '006'].map((position) => under.readModel.whenApplied('a', 'p', position, 30_000))
      const elsewhere = under.readModel.whenApplied('a', 'q', '005', 30)
      await commit('p', undefined, '005', [])
      expect(await Promise.all([waiting[0], waiting[1], elsewhere])).toEqual([true, true, false])
      await commit('p', '005', '006', [])
      expect(await waiting[2]).toBe(true)
    })

    it('RM-24 commits of another connection resolve waits, too', async () => {
      const other = await open('main')
      const waiting = under.readModel.whenApplied('a', 'p', '005', 30_000)
      await other.commit({ projection: 'a', partition: 'p', expected: undefined, position: '005', writes: [] })
      expect(await waiting).toBe(true)
    })
  })
}
