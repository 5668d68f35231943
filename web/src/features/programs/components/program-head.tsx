import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import type { ReactNode } from 'react'
import type { BadgeTone } from '../../../ui/type-badge.tsx'
import { artworkDesignOf, ProgramArtwork } from '../artwork/program-artwork.tsx'

/** The booklet opened at its title: the cover across the whole column. */
const Frame = styled('div', { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({
    margin: theme.spacing(0, -5),
    color: theme.vars.palette.portal.tones[tone].text,
    background: theme.vars.palette.portal.tones[tone].ground,
    overflowWrap: 'anywhere',
    '& .pattern': { height: 148 },
    '& .words': { display: 'grid', gap: theme.spacing(1), padding: theme.spacing(4, 5, 5) },
    '& .code': { ...theme.typography.caption, fontWeight: 600, margin: 0 },
    '& h2': { ...theme.typography.h1, fontSize: theme.portal.pieces.head, lineHeight: 1.2, margin: 0 },
    '& .below': { ...theme.typography.subtitle2, display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1, 5) },
  }),
)

type ProgramHeadProps = {
  readonly program: Pick<Program, '_id' | 'programId' | 'programName'>
  /** One line beneath the name. */
  readonly children?: ReactNode
}

export const ProgramHead = ({ program, children }: ProgramHeadProps) => (
  <Frame tone={artworkDesignOf(program).tone}>
    <div className="pattern">
      <ProgramArtwork program={program} />
    </div>
    <div className="words">
      <p className="code">{program.programId}</p>
      <h2>{program.programName}</h2>
      {children !== undefined && <div className="below">{children}</div>}
    </div>
  </Frame>
)
