import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ReadModel } from '../../../src/read-model/port.ts'
import { add, everything, put, thing, type UnderTest } from './harness.ts'

const commitAs = (
  readModel: ReadModel,
  partition: string,
  expected: string | undefined,
  position: string,
  value: number,
) => readModel.commit({ projection: 'a', partition, expected, position, writes: [put('x', value), add('m', value)] })

const digestRules = (under: UnderTest): void => {
  const { commit, open, write } = under

  it('RM-46 a digest has the position, the numbers and a checksum of one partition only', async () => {
    const nothing = await under.readModel.digest('a', 'p')
    expect(nothing).toMatchObject({ position: undefined, documents: 0, entries: 0 })
    await write(put('x', 1), put('y', 2), add('m', 1), add('m', 2, null, 'other'), add('n', 3))
    const digest = await under.readModel.digest('a', 'p')
    expect(digest).toMatchObject({ position: under.last, documents: 2, entries: 3 })
    expect(digest.checksum).not.toBe(nothing.checksum)
    await commit('q', undefined, '001', [put('x', 5)])
    expect(await under.readModel.digest('a', 'p')).toEqual(digest)
    expect(await under.readModel.digest('b', 'p')).toEqual({ ...digest, position: undefined })
    expect(await under.readModel.digest('a', 'none')).toEqual(nothing)
  })

  it('RM-46 the same contents have the same checksum, independent of their history', async () => {
    await write(put('x', 1), put('y', { deep: ['ü', null] }), add('m', 1, 'one'), add('n', 2, 'two'))
    const other = await open('other')
    const commitOther = (expected: string | undefined, position: string, writes: Parameters<typeof write>) =>
      other.commit({ projection: 'z', partition: 'elsewhere', expected, position, writes })
    await commitOther(undefined, '7', [add('n', 9, 'nine'), add('gone', 4), put('gone', 1), put('y', 0)])
    await commitOther('7', '8', [
      { op: 'remove', list: 'list', member: 'gone' },
      { op: 'delete', collection: 'things', key: 'gone' },
      put('y', { deep: ['ü', null] }),
      add('n', 2, 'two'),
      add('m', 1, 'one'),
      put('x', 1),
    ])
    await other.saveCursor('c', '0', '10')
    const expected = await under.readModel.digest('a', 'p')
    expect(await other.digest('z', 'elsewhere')).toEqual({ ...expected, position: '8' })
  })

  it('RM-46 the rows of a partition have the same names and checksums in every adapter', async () => {
    await write(put('x', { name: 'Zoë' }), put('y', 1), add('m', 12, ['one']))
    await commit('q', undefined, '001', [put('x', 5)])
    expect(await under.readModel.rows('a', 'p')).toEqual({
      position: under.last,
      rows: new Map([
        ['d6:thingsx', hash('sha1', '{"name":"Zoë"}')],
        ['d6:thingsy', hash('sha1', '1')],
        ['e4:listm', hash('sha1', '12 ["one"]')],
      ]),
    })
    expect(await under.readModel.rows('a', 'none')).toEqual({ position: undefined, rows: new Map() })
  })

  it('RM-46 other contents have another checksum', async () => {
    const contents = [
      [],
      [put('x', 1)],
      [put('x', '1')],
      [put('x', 2)],
      [put('y', 1)],
      [put('x', 1, 'others')],
      [put('x', 1), put('y', 1)],
      [add('x', 1)],
      [add('x', 2)],
      [add('x', 1, 1)],
      [add('y', 1)],
      [add('x', 1, null, 'others')],
      [add('x', 1), add('y', 2)],
      [add('x', 2), add('y', 1)],
    ]
    for (const [n, writes] of contents.entries()) await commit(`p${n}`, undefined, '001', writes)
    const digests = await Promise.all(contents.map((_, n) => under.readModel.digest('a', `p${n}`)))
    expect(new Set(digests.map(({ checksum }) => checksum)).size).toBe(contents.length)
  })

  it('RM-47 position and contents of a digest belong together during concurrent commits', async () => {
    const other = await open('main')
    const { checksum: empty } = await under.readModel.digest('a', 'none')
    const expected = new Map<string | undefined, string>([[undefined, empty]])
    for (let n = 1; n <= 40; n++) {
      const [before, position] = [n - 1, n].map((k) => (k === 0 ? undefined : String(k).padStart(3, '0')))
      await commitAs(under.readModel, 'calm', before, position ?? '', n)
      expected.set(position, (await under.readModel.digest('a', 'calm')).checksum)
    }
    const writing = (async () => {
      for (let n = 1; n <= 40; n++) {
        const before = n === 1 ? undefined : String(n - 1).padStart(3, '0')
        await commitAs(other, 'busy', before, String(n).padStart(3, '0'), n)
      }
    })()
    for (let n = 0; n < 40; n++) {
      const { position, checksum } = await under.readModel.digest('a', 'busy')
      expect(checksum).toBe(expected.get(position))
    }
    await writing
    expect((await under.readModel.digest('a', 'busy')).checksum).toBe(expected.get('040'))
  })
}

const fenceRules = (under: UnderTest): void => {
  const { commit, members, open, write } = under

  it('RM-48 once fenced, no commit of any connection changes anything', async () => {
    const before = await open('main')
    await write(put('x', 1))
    await under.readModel.fence()
    const later = await open('main')
    for (const readModel of [under.readModel, before, later]) {
      expect(await commitAs(readModel, 'p', under.last, '900', 2)).toBe('fenced')
      expect(await commitAs(readModel, 'p', '000000', '900', 2)).toBe('fenced')
      expect(await commitAs(readModel, 'new', undefined, '900', 2)).toBe('fenced')
      const changes = ['p', 'q'].map((partition) => ({
        projection: 'a',
        partition,
        expected: partition === 'p' ? under.last : undefined,
        position: '900',
        writes: [put('x', 2)],
      }))
      expect(await readModel.commitAll(changes)).toEqual(['fenced', 'fenced'])
    }
    expect(await under.readModel.getMany([thing('x'), thing('x', 'new'), thing('x', 'q')])).toEqual([
      1,
      undefined,
      undefined,
    ])
    expect(await members()).toEqual([])
    expect(await under.readModel.positions('a')).toEqual({ p: under.last })
  })

  it('RM-48 a fence does not affect other namespaces', async () => {
    const other = await open('other')
    await under.readModel.fence()
    expect(await commitAs(other, 'p', undefined, '001', 1)).toBe('committed')
  })

  it('RM-48 no concurrent commit is applied after the fence has resolved', async () => {
    const other = await open('main')
    let position: string | undefined
    let outcome = 'committed'
    const writing = (async () => {
      for (let n = 1; outcome === 'committed'; n++) {
        const next = String(n).padStart(9, '0')
        outcome = await commitAs(other, 'p', position, next, n)
        if (outcome === 'committed') position = next
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    while ((await under.readModel.position('a', 'p')) === undefined)
      await new Promise((resolve) => setImmediate(resolve))
    await under.readModel.fence()
    const digest = await under.readModel.digest('a', 'p')
    await writing
    expect(outcome).toBe('fenced')
    expect(await under.readModel.digest('a', 'p')).toEqual(digest)
    expect(digest.position).toBe(position)
  })

  it('RM-49 while fenced, reads, waits, cursors and immutable documents work', async () => {
    await write(put('x', 1), add('m', 1))
    await under.readModel.fence()
    expect(await under.readModel.get(thing('x'))).toBe(1)
    expect(await under.readModel.range('p', 'list', everything)).toHaveLength(1)
    expect(await under.readModel.whenApplied('a', 'p', under.last ?? '', 1_000)).toBe(true)
    await under.readModel.saveCursor('c', '0', '10')
    expect(await under.readModel.loadCursors('c')).toEqual({ '0': '10' })
    await under.readModel.putImmutable(thing('z'), 1)
    expect(await under.readModel.get(thing('z'))).toBe(1)
    await under.readModel.check()
  })

  it('RM-50 after unfence, commits are accepted; fencing or unfencing twice is allowed', async () => {
    await under.readModel.unfence()
    await write(put('x', 1))
    await under.readModel.fence()
    await under.readModel.fence()
    const other = await open('main')
    await other.unfence()
    await write(put('x', 2))
    expect(await commit('p', '000001', '900', [put('x', 3)])).toBe('conflict')
    expect(await under.readModel.get(thing('x'))).toBe(2)
  })
}

export const operationsRules = (under: UnderTest): void => {
  const { commit, open } = under

  describe('operations', () => {
    it('RM-44 partitions names every partition with a commit, once', async () => {
      const names = ['p', 'P', 'a:b', 'ä 漢🎓', '*', '{a}']
      for (const name of names) await commit(name, undefined, '001', [put('x', 1), put('y', 1), add('m', 1)])
      await commit('p', '001', '002', [])
      await under.readModel.commit({ projection: 'b', partition: 'q', expected: undefined, position: '1', writes: [] })
      await (
        await open('other')
      ).commit({
        projection: 'a',
        partition: 'elsewhere',
        expected: undefined,
        position: '1',
        writes: [],
      })
      expect((await under.readModel.partitions()).toSorted()).toEqual([...names, 'q'].toSorted())
    })

    it("RM-45 positions returns the projection's positions", async () => {
      expect(await under.readModel.positions('a')).toEqual({})
      await commit('p', undefined, '001', [])
      await commit('p', '001', '002', [])
      await commit('q: ü', undefined, '007', [])
      await under.readModel.commit({ projection: 'b', partition: 'r', expected: undefined, position: '1', writes: [] })
      expect(await under.readModel.positions('a')).toEqual({ p: '002', 'q: ü': '007' })
    })

    it('RM-53 positionIds returns each position with the message id of its own commit', async () => {
      const move = (partition: string, expected: string | undefined, position: string, messageId?: string) =>
        under.readModel.commit({ projection: 'a', partition, expected, position, messageId, writes: [] })
      expect(await under.readModel.positionIds('a')).toEqual({})
      await move('p', undefined, '001', 'one')
      await move('p', '001', '002', 'zwei – ü 漢')
      await move('q: ü', undefined, '007')
      await move('r', undefined, '003', 'three')
      await move('r', '003', '004')
      expect(await move('p', '001', '009', 'refused')).toBe('conflict')
      await under.readModel.commit({
        projection: 'b',
        partition: 'p',
        expected: undefined,
        position: '002',
        messageId: 'of b',
        writes: [],
      })
      const other = await open('main')
      for (const readModel of [under.readModel, other]) {
        expect(await readModel.positionIds('a')).toEqual({
          p: { position: '002', messageId: 'zwei – ü 漢' },
          'q: ü': { position: '007', messageId: undefined },
          r: { position: '004', messageId: undefined },
        })
      }
    })

    it('RM-53 message ids do not enter a digest', async () => {
      const move = async (partition: string, messageId?: string) => {
        await under.readModel.commit({
          projection: 'a',
          partition,
          expected: undefined,
          position: '001',
          messageId,
          writes: [put('x', 1)],
        })
        return under.readModel.digest('a', partition)
      }
      expect(await move('p', 'one')).toEqual(await move('q'))
    })

    digestRules(under)
    fenceRules(under)
  })
}
