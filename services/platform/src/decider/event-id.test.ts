import { expect, test } from 'vitest'
import { z } from 'zod'
import { deterministicEventId, eventIdsOf } from './event-id.ts'

test('the same parts give the same id, for ever', () => {
  expect(deterministicEventId('send', '1')).toBe('0ceed499-d3bd-89be-8398-8e19f4596c9e')
})

test('an id is a lower-case UUID', () => {
  for (let n = 0; n < 200; n++) {
    const id = deterministicEventId('part', String(n))
    expect(z.uuid().safeParse(id).success).toBe(true)
    expect(id).toBe(id.toLowerCase())
  }
})

test('other parts, and the same text cut elsewhere, give other ids', () => {
  const ids = [[], [''], ['', ''], ['a'], ['a', 'b'], ['ab'], ['b', 'a'], ['a","b'], ['a', 'b', '']].map((parts) =>
    deterministicEventId(...parts),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('each event of a command has an id of its own, the same each time', () => {
  const ids = [0, 1, 2].map(eventIdsOf('command'))
  expect(ids.map((_, index) => eventIdsOf('command')(index))).toEqual(ids)
  expect(new Set([...ids, eventIdsOf('other')(0)]).size).toBe(4)
})
