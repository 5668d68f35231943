import { styled } from '@mui/material/styles'
import { Link } from 'react-router-dom'
import type { BadgeTone } from '../../../ui/type-badge.tsx'

/** A booklet lying on the page: one colour of ink on tinted card, stitched at its left. The whole of it is one link. */
export const Booklet = styled(Link, { shouldForwardProp: (prop) => prop !== 'tone' })<{ tone: BadgeTone }>(
  ({ theme, tone }) => ({
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    overflow: 'hidden',
    borderRadius: theme.portal.radii.control,
    color: theme.vars.palette.portal.tones[tone].text,
    background: theme.vars.palette.portal.tones[tone].ground,
    textDecoration: 'none',
    overflowWrap: 'anywhere',
    transition: `box-shadow ${theme.portal.motion.quickMs}ms ${theme.portal.motion.easing}`,
    '&:hover': { boxShadow: theme.vars.palette.portal.shadow },
    '&:hover h3': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.16em' },
    // The spine, folded over the cover.
    '&::before': {
      content: '""',
      position: 'absolute',
      insetBlock: 0,
      left: 0,
      width: 8,
      background: 'currentColor',
    },
  }),
)
