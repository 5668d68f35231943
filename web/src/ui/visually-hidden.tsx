import { styled } from '@mui/material/styles'

/** Text for screen readers only. */
export const VisuallyHidden = styled('span')({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
})

/** A live region of the whole window, at its top. Below the page, it would make a page that fits scroll by a pixel. */
export const LiveRegion = styled(VisuallyHidden)({ top: 0 })
