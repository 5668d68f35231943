import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/event-store/port.ts'
import { readModelLimits } from '../../../src/read-model/limits.ts'
import { ReadLimitExceeded } from '../../../src/read-model/errors.ts'
import { put, thing, type UnderTest } from './harness.ts'

export const documentRules = (under: UnderTest): void => {
  const { commit, write } = under
  describe('documents', () => {
    it('RM-8 returns the JSON that was put', async () => {
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
      expect(await under.readModel.getMany(values.map((_, i) => thing(`k${i}`)))).toEqual(values)
    })

    it('RM-9 a put replaces, a delete removes, and deleting a missing document does nothing', async () => {
      await write(put('x', { a: 1 }), put('y', 1))
      await write(put('x', { b: 2 }), { op: 'delete', collection: 'things', key: 'nothing' })
      expect(await under.readModel.get(thing('x'))).toEqual({ b: 2 })
      await write({ op: 'delete', collection: 'things', key: 'x' })
      expect(await under.readModel.get(thing('x'))).toBeUndefined()
      expect(await under.readModel.get(thing('y'))).toBe(1)
    })

    it('RM-10 partition, collection and key are compared exactly', async () => {
      const names = ['a', 'A', 'a:b', 'a b', "a'b", 'ä', '漢🎓', '1', '01', 'a\u0000b', '*', '{a}']
      await write(...names.flatMap((key) => names.map((collection) => put(key, `${collection}/${key}`, collection))))
      for (const collection of names) {
        const refs = names.map((key) => ({ partition: 'p', collection, key }))
        expect(await under.readModel.getMany(refs)).toEqual(names.map((key) => `${collection}/${key}`))
      }
      expect(await under.readModel.get({ partition: 'P', collection: 'a', key: 'a' })).toBeUndefined()
      expect(await under.readModel.get({ partition: 'p', collection: '', key: 'aa' })).toBeUndefined()
    })

    it('RM-11 getMany answers in the order asked, across partitions, with repetitions and gaps', async () => {
      await write(put('x', 1), put('y', 2))
      await commit('q', undefined, '001', [put('x', 3)])
      expect(
        await under.readModel.getMany([
          thing('y'),
          thing('none'),
          thing('x', 'q'),
          thing('x'),
          thing('y'),
          thing('x', 'r'),
        ]),
      ).toEqual([2, undefined, 3, 1, 2, undefined])
      expect(await under.readModel.getMany([])).toEqual([])
    })

    it('RM-12 getMany accepts as many as the limit and rejects more', async () => {
      const most = readModelLimits.documentsPerRead
      await write(put('x', 1), put(`k${most - 1}`, 2))
      const found = await under.readModel.getMany(
        Array.from({ length: most }, (_, i) => thing(i === 0 ? 'x' : `k${i}`)),
      )
      expect([found.length, found[0], found[1], found[most - 1]]).toEqual([most, 1, undefined, 2])
      await expect(under.readModel.getMany(Array.from({ length: most + 1 }, () => thing('x')))).rejects.toThrow(
        ReadLimitExceeded,
      )
    })

    it('RM-13 putImmutable writes once, moves no position, and keeps an existing document', async () => {
      await under.readModel.putImmutable(thing('x'), { a: 1 })
      expect(await under.readModel.get(thing('x'))).toEqual({ a: 1 })
      await under.readModel.putImmutable(thing('x'), { a: 2 })
      expect(await under.readModel.get(thing('x'))).toEqual({ a: 1 })
      expect(await under.readModel.position('a', 'p')).toBeUndefined()
    })
  })
}
