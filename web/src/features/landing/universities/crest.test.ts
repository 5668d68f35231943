import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crestDesignOf, divisions, shields } from './crest.tsx'

describe('a crest', () => {
  it('shows the initials of the significant words', () => {
    expect(crestDesignOf('Institute of Applied Sciences, Lakeside').initials).toBe('IA')
    expect(crestDesignOf('The University').initials).toBe('U')
  })

  it('is the same for the same name, and has a valid design', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (name) => {
        const design = crestDesignOf(name)
        expect(crestDesignOf(name)).toEqual(design)
        expect(shields).toContain(design.shield)
        expect(divisions).toContain(design.division)
      }),
    )
  })

  it('differs between most names', () => {
    const names = Array.from({ length: 60 }, (_, n) => `University ${n}`)
    const looks = new Set(names.map((name) => `${crestDesignOf(name).shield} ${crestDesignOf(name).division}`))
    expect(looks.size).toBeGreaterThan(10)
  })
})
