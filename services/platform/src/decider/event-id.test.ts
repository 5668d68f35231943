import { expect, test } from 'vitest'
import { z } from 'zod'
import { deterministicEventId, eventIdsOf } from './event-id.ts'

test('makes the same id from the same parts, in every release', () => {
  expect(deterministicEventId('send', '1')).toBe('0ceed499-d3bd-89be-8398-8e19f4596c9e')
})

test('makes lower-case UUIDs', () => {
  for (let n = 0; n < 200; n++) {
    const id = deterministicEventId('part', String(n))
    expect(z.uuid().safeParse(id).success).toBe(true)
    expect(id).toBe(id.toLowerCase())
  }
})

test('makes other ids from other parts, and from the same text split elsewhere', () => {
  const ids = [[], [''], ['', ''], ['a'], ['a', 'b'], ['ab'], ['b', 'a'], ['a","b'], ['a', 'b', '']].map((parts) =>
    deterministicEventId(...parts),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('gives each event of a command its own id, the same each time', () => {
  const ids = [0, 1, 2].map(eventIdsOf('command'))
  expect(ids.map((_, index) => eventIdsOf('command')(index))).toEqual(ids)
  expect(new Set([...ids, eventIdsOf('other')(0)]).size).toBe(4)
})
