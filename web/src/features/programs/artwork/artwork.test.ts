import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawArtwork, patternNames, type Artwork } from './patterns.ts'
import { artworkDesignOf } from './program-artwork.tsx'

const id = programRecordIdSchema.parse('01930000-0000-7000-8000-00000000c0de')
const designOf = (programName: string) => artworkDesignOf({ _id: id, programName })

const isSame = (one: Artwork, other: Artwork) => JSON.stringify(one) === JSON.stringify(other)

describe('the artwork of a program', () => {
  it('differs for each of the four tracks', () => {
    const designs = [
      'Artificial Intelligence',
      'Computer Science and Advanced Technologies',
      'Data Science and Machine Learning',
      'Business Analytics',
    ].map(designOf)
    expect(new Set(designs.map(({ pattern }) => pattern)).size).toBe(4)
    expect(new Set(designs.map(({ tone }) => tone)).size).toBe(4)
  })

  it('matches whole words of a track only', () => {
    expect(designOf('Maintenance of Aircraft').pattern).toBe(designOf('Robotics').pattern)
  })

  it('is deterministic, and differs between programs', () => {
    for (const name of patternNames) {
      fc.assert(
        fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), (one, other) => {
          expect(drawArtwork(name, one)).toEqual(drawArtwork(name, one))
          expect(isSame(drawArtwork(name, one), drawArtwork(name, other))).toBe(one === other)
        }),
        { numRuns: 20 },
      )
    }
  })

  it('consists of valid paths of limited length', () => {
    for (const name of patternNames) {
      fc.assert(
        fc.property(fc.nat(0xffffffff), (seed) => {
          const { solid, line, tint } = drawArtwork(name, seed)
          for (const path of [solid, line, tint]) {
            expect(path).toMatch(/^(M[\d\-. MLAahvlz]*)?$/)
            expect(path.length).toBeLessThan(40_000)
          }
          expect(`${solid}${line}`).not.toBe('')
        }),
        { numRuns: 50 },
      )
    }
  })
})
