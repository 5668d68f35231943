import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { useMemo } from 'react'
import {
  artworkHeight,
  artworkWidth,
  drawArtwork,
  patternNames,
  seededRandom,
  seedOf,
  type PatternName,
  type Random,
} from './patterns.ts'

const toneNames = ['red', 'green', 'yellow', 'purple', 'blue'] as const
type Tone = (typeof toneNames)[number]

type ArtworkDesign = { readonly pattern: PatternName; readonly tone: Tone; readonly seed: number }

export type ArtworkSubject = Pick<Program, '_id' | 'programName'>

/** The artwork of the tracks on offer shows their subject. The first match counts. */
const tracks: readonly { readonly names: RegExp; readonly pattern: PatternName; readonly tone: Tone }[] = [
  { names: /business|analytics|management|finance/i, pattern: 'columns', tone: 'green' },
  { names: /data science|machine learning|statistics|\bml\b|\bds\b/i, pattern: 'contours', tone: 'blue' },
  { names: /artificial intelligence|\bai\b/i, pattern: 'network', tone: 'red' },
  { names: /comput|software|\bcs\b|\bcse\b/i, pattern: 'weave', tone: 'purple' },
]

const pick = <Item,>(all: readonly [Item, ...Item[]], random: Random): Item =>
  all[Math.floor(random() * all.length)] ?? all[0]

/** Pattern and color follow from the subject if it is known, otherwise from the id; the details always follow from the id. */
export const artworkDesignOf = ({ _id, programName }: ArtworkSubject): ArtworkDesign => {
  const seed = seedOf(_id)
  const track = tracks.find(({ names }) => names.test(programName))
  if (track) return { pattern: track.pattern, tone: track.tone, seed }
  const random = seededRandom(seed)
  return { pattern: pick(patternNames, random), tone: pick(toneNames, random), seed }
}

const Svg = styled('svg')({ display: 'block', width: '100%', height: '100%' })

/** Dense patterns have thin lines. */
const lineWidths: Readonly<Record<PatternName, number>> = {
  columns: 2.5,
  contours: 1.4,
  geometry: 0,
  halftone: 0,
  network: 1.1,
  weave: 3.4,
}

type ProgramArtworkProps = { readonly program: ArtworkSubject }

/** The pattern of a program in the color of the surrounding text. It is decorative: the name is beside it. */
export const ProgramArtwork = ({ program }: ProgramArtworkProps) => {
  const { _id, programName } = program
  const { artwork, lineWidth } = useMemo(() => {
    const { pattern, seed } = artworkDesignOf({ _id, programName })
    return { artwork: drawArtwork(pattern, seed), lineWidth: lineWidths[pattern] }
  }, [_id, programName])
  return (
    <Svg
      viewBox={`0 0 ${artworkWidth} ${artworkHeight}`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <path d={artwork.tint} fill="currentColor" opacity={0.18} />
      <path d={artwork.line} fill="none" stroke="currentColor" strokeWidth={lineWidth} />
      <path d={artwork.solid} fill="currentColor" />
    </Svg>
  )
}
