import { styled } from '@mui/material/styles'

export const Viewport = styled('div')({
  overflow: 'hidden',
  '&[data-movable="true"]': { cursor: 'grab' },
  '&[data-movable="true"]:active': { cursor: 'grabbing' },
})

/** Up and down stays the page's, to and fro is the carousel's. */
export const Slides = styled('ul')(({ theme }) => ({
  display: 'flex',
  listStyle: 'none',
  margin: 0,
  padding: 0,
  touchAction: 'pan-y pinch-zoom',
  '& > li': { flex: '0 0 auto', minWidth: 0 },
  // Room between slides that each fill the viewport: outside of it at both ends.
  '&[data-spaced]': { marginLeft: theme.spacing(-5), '& > li': { paddingLeft: theme.spacing(5) } },
}))
