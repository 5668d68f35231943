import { styled } from '@mui/material/styles'

/**
 * The ground of a figure: two colours and the hairline. A figure is decoration, the words beside it say the same. Classes:
 * `rubric`, `ink` and `sheet` fill, `soft` tints, `line`, `rubric-line` and `hair` draw.
 */
export const Canvas = styled('svg')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: 'auto',
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  '& .rubric': { fill: theme.vars.palette.primary.main },
  '& .ink': { fill: theme.vars.palette.text.primary },
  '& .soft': { fill: theme.vars.palette.portal.accentSoft },
  '& .sheet': { fill: theme.vars.palette.background.paper },
  '& .hair': { stroke: theme.vars.palette.portal.edge, strokeWidth: 1.25 },
  '& .on-rubric': { stroke: theme.vars.palette.primary.contrastText, strokeWidth: 1.75 },
  '& .line': { stroke: theme.vars.palette.text.primary, strokeWidth: 1.75 },
  '& .rubric-line': { stroke: theme.vars.palette.primary.main, strokeWidth: 2.25 },
}))
