import { describe, expect, it } from 'vitest'
import type { Cursor } from '../port.ts'
import { cursorOf, placeOf, startAfter } from './cursor.ts'

const bounds = { low: 5n, high: 20n }

describe('a cursor on Kafka', () => {
  it.each([{ offset: -1n }, { offset: 41n }, { offset: 41n, position: '000000000000000000:01@x' }])(
    'can be read again: %o',
    (place) => {
      expect(placeOf(cursorOf(place))).toEqual(place)
    },
  )

  it.each(['', 'start', '000:01', '1.5', '41@', '-2'])('is not %o', (text) => {
    expect(placeOf(text as Cursor)).toBeUndefined()
  })
})

describe('where a consumer starts', () => {
  it('is the beginning when it has handled nothing, or where it is told to, if that is there', () => {
    expect(startAfter(undefined, bounds)).toEqual({ offset: 5n })
    expect(startAfter(undefined, bounds, 20n)).toEqual({ offset: 20n })
    expect(startAfter(undefined, bounds, 21n)).toEqual({ offset: 5n })
    expect(startAfter(undefined, bounds, 4n)).toEqual({ offset: 5n })
  })

  it('is the last message handled, to see whether it still is there', () => {
    const place = { offset: 19n, position: 'p' }
    expect(startAfter(place, bounds)).toEqual({ offset: 19n, known: place })
  })

  it('is behind it when the message cannot be looked at', () => {
    expect(startAfter({ offset: 10n }, bounds)).toEqual({ offset: 11n })
    expect(startAfter({ offset: 4n, position: 'p' }, bounds)).toEqual({ offset: 5n })
    expect(startAfter({ offset: -1n }, { low: 0n, high: 0n })).toEqual({ offset: 0n })
  })

  it('is the beginning, and said, when Kafka holds less than was handled, or no longer what follows', () => {
    expect(startAfter({ offset: 20n, position: 'p' }, bounds)).toEqual({ offset: 5n, because: 'kafka was reset' })
    expect(startAfter({ offset: 3n, position: 'p' }, bounds)).toEqual({
      offset: 5n,
      because: 'retention has passed it',
    })
  })
})
