import { styled } from '@mui/material/styles'

/** px. */
const areaHeight = 500

/** Draws a line below an area. */
export const Edge = styled('div')(({ theme }) => ({ borderBottom: `1px solid ${theme.vars.palette.divider}` }))

/** A list that scrolls within its column. */
export const Area = styled('div')(({ theme }) => ({
  // On narrower screens, the page scrolls, not an area within it.
  [theme.breakpoints.up('md')]: { maxHeight: areaHeight, overflowY: 'auto', overscrollBehavior: 'contain' },
  // Place the scroll bar outside the column.
  marginRight: theme.spacing(-4),
  paddingRight: theme.spacing(4),
  scrollbarWidth: 'thin',
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

export const List = styled('ol')({ listStyle: 'none', margin: 0, padding: 0 })
