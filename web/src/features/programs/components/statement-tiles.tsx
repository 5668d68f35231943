import { styled } from '@mui/material/styles'
import { quotation, statistic } from '../placeholders.ts'

const Tiles = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  '& > *': { margin: 0, padding: theme.spacing(5), borderRadius: theme.portal.radii.control },
  '& .statistic': {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    alignItems: 'center',
    gap: theme.spacing(5),
    color: theme.vars.palette.portal.cover.text,
    background: theme.vars.palette.portal.cover.ground,
  },
  '& .figure': {
    ...theme.typography.h1,
    fontSize: theme.portal.pieces.figure,
    lineHeight: 1,
    fontVariantNumeric: 'tabular-nums',
  },
  '& .quotation': {
    ...theme.typography.h3,
    background: theme.vars.palette.portal.accentSoft,
    borderLeft: `4px solid ${theme.vars.palette.primary.main}`,
    textWrap: 'pretty',
  },
}))

/** A figure and a sentence that every programme is introduced by. */
export const StatementTiles = () => (
  <Tiles>
    <p className="statistic">
      <span className="figure">{statistic.figure}</span>
      <span>{statistic.text}</span>
    </p>
    <blockquote className="quotation">{quotation}</blockquote>
  </Tiles>
)
