import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { coverDesignOf, type CoverSubject } from './cover-design.ts'
import { drawPattern, type PatternName } from './patterns.ts'
import { plateHeight, plateWidth } from './plates.ts'

const Plate = styled('svg')({ display: 'block', width: '100%', height: '100%' })

/** Lines are as heavy as their pattern is dense. */
const lineWidths: Readonly<Record<PatternName, number>> = {
  columns: 2.5,
  contours: 1.4,
  geometry: 0,
  halftone: 0,
  network: 1.1,
  weave: 3.4,
}

type ProgramCoverProps = { readonly program: CoverSubject }

/** A programme's pattern, printed in the colour of the text around it. Decoration: the name stands beside it. */
export const ProgramCover = ({ program }: ProgramCoverProps) => {
  const { _id, programName } = program
  const { plates, width } = useMemo(() => {
    const { pattern, seed } = coverDesignOf({ _id, programName })
    return { plates: drawPattern(pattern, seed), width: lineWidths[pattern] }
  }, [_id, programName])
  return (
    <Plate
      viewBox={`0 0 ${plateWidth} ${plateHeight}`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <path d={plates.tint} fill="currentColor" opacity={0.18} />
      <path d={plates.line} fill="none" stroke="currentColor" strokeWidth={width} />
      <path d={plates.solid} fill="currentColor" />
    </Plate>
  )
}
