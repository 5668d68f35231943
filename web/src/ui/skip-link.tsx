import { styled } from '@mui/material/styles'

const Skip = styled('a')(({ theme }) => ({
  ...theme.typography.subtitle2,
  position: 'fixed',
  top: theme.spacing(2),
  left: theme.spacing(2),
  zIndex: theme.zIndex.tooltip,
  padding: theme.spacing(3, 4),
  borderRadius: theme.portal.radii.control,
  background: theme.vars.palette.text.primary,
  color: theme.vars.palette.background.default,
  '&:not(:focus)': { transform: 'translateY(-200%)' },
}))

/** Lets keyboard users skip the navigation. */
export const SkipLink = () => <Skip href="#content">Skip to content</Skip>
