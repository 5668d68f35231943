import { describe, expect, it } from 'vitest'
import { InvalidCommit, ReadLimitExceeded } from '../../../src/read-model/errors.ts'
import { readModelLimits } from '../../../src/read-model/limits.ts'
import type { ReadModel } from '../../../src/read-model/port.ts'
import { add, everything, type UnderTest } from './harness.ts'

export const listRules = (under: UnderTest): void => {
  const { commit, members, write } = under
  describe('lists', () => {
    it('RM-14 add sets the entry of a member, replacing its score and value', async () => {
      await write(add('m', 1, 'one'), add('n', 2, 'two'))
      await write(add('m', 3, { three: 3 }))
      expect(await under.readModel.range('p', 'list', everything)).toEqual([
        { member: 'n', score: 2, value: 'two' },
        { member: 'm', score: 3, value: { three: 3 } },
      ])
      await write(add('m', 3, 'same score'))
      expect(await under.readModel.entry('p', 'list', 'm')).toEqual({ member: 'm', score: 3, value: 'same score' })
    })

    it('RM-15 a score of another member is rejected, and is free again once that member is removed', async () => {
      await write(add('m', 1))
      await expect(commit('p', under.last, '999', [add('n', 1)])).rejects.toThrow(InvalidCommit)
      await write({ op: 'remove', list: 'list', member: 'm' }, add('n', 1))
      await write(add('n', 2), add('o', 1))
      expect(await members()).toEqual(['o', 'n'])
    })

    it('RM-16 remove and trim delete the named entries, in their list only', async () => {
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
      expect(await under.readModel.entry('p', 'list', 'm3')).toBeUndefined()
    })

    it('RM-17 range answers by score, inclusive, in the order asked, up to the limit', async () => {
      await write(...[30, -20, 10, 0, 20].map((score) => add(`m${score}`, score, { score })))
      const scores = async (range: Parameters<ReadModel['range']>[2]) =>
        (await under.readModel.range('p', 'list', range)).map((e) => e.score)
      expect(await scores(everything)).toEqual([-20, 0, 10, 20, 30])
      expect(await scores({ order: 'descending', limit: 2 })).toEqual([30, 20])
      expect(await scores({ from: 0, to: 20, order: 'ascending', limit: 10 })).toEqual([0, 10, 20])
      expect(await scores({ from: 0, to: 20, order: 'descending', limit: 2 })).toEqual([20, 10])
      expect(await scores({ from: 1, order: 'ascending', limit: 1 })).toEqual([10])
      expect(await scores({ to: -1, order: 'descending', limit: 10 })).toEqual([-20])
      expect(await scores({ from: 21, to: 29, order: 'ascending', limit: 10 })).toEqual([])
      expect(await scores({ from: 20, to: 0, order: 'ascending', limit: 10 })).toEqual([])
      expect(await scores({ order: 'ascending', limit: 0 })).toEqual([])
      expect(await under.readModel.range('p', 'none', everything)).toEqual([])
      expect(await under.readModel.range('q', 'list', everything)).toEqual([])
    })

    it('RM-18 range returns at most 1,000 and rejects a higher limit', async () => {
      await write(...Array.from({ length: 1_001 }, (_, i) => add(`m${i}`, i)))
      expect(await under.readModel.range('p', 'list', everything)).toHaveLength(1_000)
      await expect(under.readModel.range('p', 'list', { order: 'ascending', limit: 1_001 })).rejects.toThrow(
        ReadLimitExceeded,
      )
    })

    it('RM-19 scores keep the whole range of safe integers', async () => {
      const { MAX_SAFE_INTEGER: max, MIN_SAFE_INTEGER: min } = Number
      await write(add('max', max), add('below', max - 1), add('min', min))
      expect((await under.readModel.range('p', 'list', everything)).map((e) => e.score)).toEqual([min, max - 1, max])
      expect(await under.readModel.range('p', 'list', { from: max, order: 'ascending', limit: 2 })).toHaveLength(1)
    })

    it('RM-20 entries answers in the order asked, across lists, with repetitions and gaps', async () => {
      await write(add('m', 1, 'a', 'l1'), add('n', 2, 'b', 'l1'), add('m', 7, 'c', 'l2'))
      expect(
        await under.readModel.entries('p', [
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
      expect(await under.readModel.entries('p', [])).toEqual([])
      const tooMany = Array.from({ length: readModelLimits.entriesPerRead + 1 }, () => ({ list: 'l1', member: 'm' }))
      await expect(under.readModel.entries('p', tooMany)).rejects.toThrow(ReadLimitExceeded)
    })

    it('RM-21 lists with one name in two partitions, and members with one name in two lists, are separate', async () => {
      await write(add('m', 1, 'p'), add('m', 1, 'p2', 'list2'))
      await commit('q', undefined, '001', [add('m', 1, 'q'), add('n', 2)])
      await write({ op: 'remove', list: 'list', member: 'm' })
      expect(await members()).toEqual([])
      expect(await under.readModel.entry('p', 'list2', 'm')).toMatchObject({ value: 'p2' })
      expect(await under.readModel.entry('q', 'list', 'm')).toMatchObject({ value: 'q' })
    })
  })
}
