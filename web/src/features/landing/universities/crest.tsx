import { styled } from '@mui/material/styles'
import { useId } from 'react'

/** A placeholder crest, derived from the name of the university. */
export const shields = ['pointed', 'round', 'square'] as const
export const divisions = ['chief', 'pale', 'bend', 'chevron', 'base'] as const

type CrestDesign = {
  readonly initials: string
  readonly shield: (typeof shields)[number]
  readonly division: (typeof divisions)[number]
}

/** FNV-1a: short, and names that differ by one letter get different hashes. */
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

const outlines: Readonly<Record<CrestDesign['shield'], string>> = {
  pointed: 'M6 5h52v26c0 18-11 28-26 36C17 59 6 49 6 31z',
  round: 'M6 5h52v34a26 26 0 0 1-52 0z',
  square: 'M6 5h52v50H40l-8 10-8-10H6z',
}

const parts: Readonly<Record<CrestDesign['division'], string>> = {
  chief: 'M0 0h64v20H0z',
  pale: 'M0 0h16v80H0zM48 0h16v80H48z',
  bend: 'M0 0h24L64 50v30z',
  chevron: 'M0 72 32 44l32 28v12H0z',
  base: 'M0 46h64v40H0z',
}

/** The baseline of the initials, clear of the division. */
const baselines: Readonly<Record<CrestDesign['division'], number>> = {
  chief: 48,
  pale: 41,
  bend: 41,
  chevron: 37,
  base: 37,
}

const Shield = styled('svg')(({ theme }) => ({
  display: 'block',
  flex: 'none',
  width: 56,
  height: 63,
  '& .background': { fill: theme.vars.palette.background.paper },
  '& .part': { fill: theme.vars.palette.portal.accentSoft },
  '& .outline': { fill: 'none', stroke: theme.vars.palette.text.primary, strokeWidth: 2, strokeLinejoin: 'round' },
  '& text': {
    fill: theme.vars.palette.text.primary,
    fontFamily: theme.typography.h1.fontFamily,
    fontWeight: 700,
    fontSize: theme.portal.pieces.crest,
    textAnchor: 'middle',
  },
}))

export const Crest = ({ name }: { name: string }) => {
  const { initials, shield, division } = crestDesignOf(name)
  const clip = useId()
  return (
    <Shield viewBox="0 0 64 72" aria-hidden="true">
      <clipPath id={clip}>
        <path d={outlines[shield]} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <path className="background" d="M0 0h64v72H0z" />
        <path className="part" d={parts[division]} />
      </g>
      <path className="outline" d={outlines[shield]} />
      <text x="32" y={baselines[division]}>
        {initials}
      </text>
    </Shield>
  )
}
