import { describe, expect, it } from 'vitest'
import { paddingOf, parseTarHeader, tarHeader } from './tar-header.ts'

const at = new Date('2026-11-22T19:08:38Z')

describe('a tar header', () => {
  it('stores any size', () => {
    for (const bytes of [0, 1, 511, 512, 8 * 1024 ** 3 - 1, 8 * 1024 ** 3, 5 * 1024 ** 4])
      expect(parseTarHeader(tarHeader({ name: 'events.db.gz', bytes }, at))).toEqual({ name: 'events.db.gz', bytes })
  })

  it('is rejected if one bit differs', () => {
    const header = tarHeader({ name: 'events.db.gz', bytes: 12_345 }, at)
    const flipped = (offset: number): Buffer => {
      const changed = Buffer.from(header)
      changed.writeUInt8(changed.readUInt8(offset) ^ 0x01, offset)
      return changed
    }
    const accepted = [...header.keys()].filter((offset) => parseTarHeader(flipped(offset)) !== undefined)
    // A NUL and a space without meaning follow the digits of the checksum.
    expect(accepted.filter((offset) => offset !== 154 && offset !== 155)).toEqual([])
  })

  it('is distinguished from an empty and a short block', () => {
    expect(parseTarHeader(Buffer.alloc(512))).toBe('end')
    expect(parseTarHeader(Buffer.alloc(100))).toBeUndefined()
  })
})

it('an entry is padded to whole blocks', () => {
  expect([0, 1, 512, 513].map(paddingOf)).toEqual([0, 511, 0, 511])
})
