import { describe, expect, it } from 'vitest'
import { add, everything, put, thing, type UnderTest } from './harness.ts'

export const namespaceRules = (under: UnderTest): void => {
  const { commit, members, open, write } = under
  describe('cursors and lifecycle', () => {
    it('RM-25 cursors are kept per consumer and bus partition; the last one saved counts', async () => {
      expect(await under.readModel.loadCursors('c')).toEqual({})
      await under.readModel.saveCursor('c', '0', '10')
      await under.readModel.saveCursor('c', '1', '11')
      await under.readModel.saveCursor('d', '0', '12')
      await under.readModel.saveCursor('c', '0', '9')
      expect(await under.readModel.loadCursors('c')).toEqual({ '0': '9', '1': '11' })
      expect(await under.readModel.loadCursors('d')).toEqual({ '0': '12' })
    })

    it('RM-26 commits survive closing and reopening', async () => {
      await write(put('x', 1), add('m', 1, 'v'))
      await under.readModel.saveCursor('c', '0', '10')
      await under.readModel.close()
      const again = await open('main')
      expect(await again.get(thing('x'))).toBe(1)
      expect(await again.entry('p', 'list', 'm')).toEqual({ member: 'm', score: 1, value: 'v' })
      expect(await again.position('a', 'p')).toBe(under.last)
      expect(await again.loadCursors('c')).toEqual({ '0': '10' })
    })

    it('RM-27 namespaces do not see each other', async () => {
      const other = await open('other')
      await write(put('x', 1), add('m', 1))
      await under.readModel.saveCursor('c', '0', '10')
      expect(await other.get(thing('x'))).toBeUndefined()
      expect(await other.range('p', 'list', everything)).toEqual([])
      expect(await other.position('a', 'p')).toBeUndefined()
      expect(await other.loadCursors('c')).toEqual({})
    })

    it('RM-28 two connections to one namespace see the same', async () => {
      const other = await open('main')
      await write(add('m', 1), put('x', 1))
      expect(await other.get(thing('x'))).toBe(1)
      expect(await other.entry('p', 'list', 'm')).toMatchObject({ score: 1 })
      const change = { projection: 'a', partition: 'p', expected: under.last, position: '900', writes: [add('n', 2)] }
      expect(await other.commit(change)).toBe('committed')
      expect(await members()).toEqual(['m', 'n'])
    })

    it('RM-29 check resolves while the read model serves', async () => {
      await expect(under.readModel.check()).resolves.toBeUndefined()
    })

    it('RM-30 rejects every call and every wait once closed; closing twice is allowed', async () => {
      const waiting = under.readModel.whenApplied('a', 'p', '001', 30_000)
      const [outcome] = await Promise.allSettled([waiting, under.readModel.close()])
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('closed') } })
      await under.readModel.close()
      const calls = [
        () => commit('p', undefined, '001', []),
        () => under.readModel.position('a', 'p'),
        () => under.readModel.whenApplied('a', 'p', '001', 1_000),
        () => under.readModel.putImmutable(thing('x'), 1),
        () => under.readModel.get(thing('x')),
        () => under.readModel.getMany([]),
        () => under.readModel.entry('p', 'list', 'm'),
        () => under.readModel.entries('p', []),
        () => under.readModel.range('p', 'list', everything),
        () => under.readModel.loadCursors('c'),
        () => under.readModel.saveCursor('c', '0', '1'),
        () => under.readModel.partitions(),
        () => under.readModel.positions('a'),
        () => under.readModel.positionIds('a'),
        () => under.readModel.digest('a', 'p'),
        () => under.readModel.fence(),
        () => under.readModel.unfence(),
        () => under.readModel.check(),
      ]
      for (const call of calls) await expect(call()).rejects.toThrow('closed')
    })
  })
}
