import { describe, expect, it } from 'vitest'
import type { Position } from '../../../event-store/port.ts'
import type { Checkpoint } from './checkpoint.ts'
import { resumeFrom } from './resume-position.ts'

// Only stores make positions; this test makes its own.
const checkpoint = (n: number, ends: readonly [bigint, bigint], layout = 2): Checkpoint => ({
  position: `00${n}` as Position,
  eventId: `event-${n}`,
  ends: new Map(ends.map((end, partition) => [`auth/${partition}`, end])),
  layout: new Map([['auth', layout]]),
})
const held = (ends: readonly bigint[], layout = 2) => ({
  ends: new Map(ends.map((end, partition) => [`auth/${partition}`, end])),
  layout: new Map([['auth', layout]]),
})

describe('where a log publisher resumes', () => {
  it('is its checkpoint if Kafka has everything up to it', () => {
    const saved = checkpoint(5, [3n, 4n])
    expect(resumeFrom(saved, [], held([3n, 9n]))).toEqual({ from: saved })
  })

  it('is its checkpoint in an empty Kafka, with the current number of partitions', () => {
    const { from, because } = resumeFrom(checkpoint(5, [3n, 4n]), [], held([0n, 0n, 0n], 3))
    expect(because).toBe('kafka is empty')
    expect(from).toMatchObject({ position: '005', eventId: 'event-5', ends: new Map(), layout: new Map([['auth', 3]]) })
  })

  it('FD-17 is the latest checkpoint in its own messages up to which Kafka has everything', () => {
    const own = [checkpoint(3, [1n, 1n]), checkpoint(8, [3n, 5n]), checkpoint(7, [3n, 4n])]
    expect(resumeFrom(undefined, own, held([3n, 4n]))).toMatchObject({
      from: { position: '007' },
      because: 'no checkpoint',
    })
    const partly = resumeFrom(checkpoint(9, [4n, 5n]), own, held([3n, 4n]))
    expect(partly).toMatchObject({ from: { position: '007' }, because: 'kafka holds less than was published' })
  })

  it('is the start of the log without a usable checkpoint, with the partitions that its messages are in', () => {
    const start = { position: 'start', ends: new Map() }
    expect(resumeFrom(undefined, [], held([0n, 0n]))).toMatchObject({ from: start })
    const partly = resumeFrom(checkpoint(9, [4n, 5n]), [], held([3n, 4n, 0n, 0n], 4))
    expect(partly.from).toMatchObject({ ...start, layout: new Map([['auth', 2]]) })
  })

  it('FD-15 keeps the partitions of its checkpoint if the topic has more', () => {
    const saved = checkpoint(5, [3n, 4n])
    expect(resumeFrom(saved, [], held([3n, 4n, 0n], 3)).from.layout).toEqual(new Map([['auth', 2]]))
  })
})
