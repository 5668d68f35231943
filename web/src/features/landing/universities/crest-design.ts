/** A crest made from a university's name: always the same for the same name. A real one takes its place in crest.tsx. */
export const shields = ['pointed', 'round', 'square'] as const
export const divisions = ['chief', 'pale', 'bend', 'chevron', 'base'] as const

export type CrestDesign = {
  readonly initials: string
  readonly shield: (typeof shields)[number]
  readonly division: (typeof divisions)[number]
}

/** FNV-1a: short, and spreads names that differ by one letter. */
const hashOf = (text: string): number => {
  let hash = 0x81_1c_9d_c5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return hash >>> 0
}

const small = new Set(['of', 'the', 'and', 'for', 'in', 'at', 'de', '&'])

const initialsOf = (name: string): string => {
  const words = name.split(/[\s,.-]+/).filter((word) => word !== '' && !small.has(word.toLowerCase()))
  return words
    .slice(0, 2)
    .map((word) => ([...word][0] ?? '').toUpperCase())
    .join('')
}

export const crestDesignOf = (name: string): CrestDesign => {
  const hash = hashOf(name.trim().toLowerCase())
  return {
    initials: initialsOf(name),
    shield: shields[hash % shields.length] ?? shields[0],
    division: divisions[Math.floor(hash / shields.length) % divisions.length] ?? divisions[0],
  }
}
