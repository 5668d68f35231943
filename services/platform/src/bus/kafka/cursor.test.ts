import { describe, expect, it } from 'vitest'
import type { Cursor } from '../port.ts'
import { cursorOf, fromLogPosition, handledUpTo, hasPassed, laterOf, logPositionOf, parseCursor } from './cursor.ts'

const position = '00000000000000000012:03'
const eventPosition = '00000000000000000012'
const eventId = '0b5c'

describe('a cursor on Kafka', () => {
  it('round-trips as text', () => {
    const cursors = [
      {},
      { offset: -1n },
      { offset: 41n },
      { offset: 41n, position: '000000000000000000:01@x' },
      { offset: 41n, position, eventId },
      { position: eventPosition },
      { position: eventPosition, eventId },
    ]
    expect(cursors.map((at) => parseCursor(cursorOf(at)))).toEqual(cursors)
    const others = ['', 'start', '000:01', '1.5', '41@', '-2', 'log@', 'log#x']
    expect(others.filter((text) => parseCursor(text as Cursor) !== undefined)).toEqual([])
  })

  it('maps to the last completely handled event, or to the start of the log', () => {
    expect(logPositionOf({ offset: 41n, position, eventId })).toEqual({ position: eventPosition, eventId })
    expect(logPositionOf({ position: eventPosition })).toBe(eventPosition)
    // A cursor of an older release may be between two messages of one event.
    expect(logPositionOf({ offset: 41n, position })).toBe('start')
    expect(logPositionOf({ offset: 41n })).toBe('start')
    expect(fromLogPosition('start')).toEqual({})
  })

  it('covers all messages of its event, and none of the next', () => {
    const floor = handledUpTo({ offset: 41n, position, eventId })
    expect(`${eventPosition}:99` <= floor).toBe(true)
    expect('00000000000000000013:00' <= floor).toBe(false)
    expect(handledUpTo({ offset: 41n, position })).toBe(position)
  })

  it('is later than another by its position in the log, whatever the offsets', () => {
    const before = { offset: 500n, position: '00000000000000000011:00', eventId: 'x' }
    const after = { offset: 3n, position, eventId }
    expect([laterOf(before, after), laterOf(after, before)]).toEqual([after, after])
    expect(laterOf({ offset: 4n }, { offset: 5n })).toEqual({ offset: 5n })
    expect(laterOf(undefined, after)).toEqual(after)
  })

  it('has passed another once everything up to that has been handled, in Kafka or in the log', () => {
    const target = { offset: 41n, position, eventId }
    expect(hasPassed({ position: eventPosition, eventId }, target)).toBe(true)
    expect(hasPassed({ offset: 2n, position, eventId }, target)).toBe(true)
    expect(hasPassed({ offset: 90n, position: '00000000000000000011:00', eventId: 'x' }, target)).toBe(false)
    expect(hasPassed(undefined, target)).toBe(false)
  })
})
