import { styled } from '@mui/material/styles'

/**
 * A native check box with its own style: cheap in long lists, and accessible by default. Set `indeterminate` on the element for
 * 'some'.
 */
export const CheckBox = styled('input')(({ theme }) => ({
  appearance: 'none',
  flex: 'none',
  width: 20,
  height: 20,
  margin: 0,
  display: 'grid',
  placeContent: 'center',
  border: `1.5px solid ${theme.vars.palette.portal.edge}`,
  borderRadius: 4,
  backgroundColor: theme.vars.palette.background.paper,
  cursor: 'pointer',
  transition: theme.transitions.create(['background-color', 'border-color'], {
    duration: theme.transitions.duration.shortest,
  }),
  '&::before': {
    content: '""',
    width: 12,
    height: 12,
    transform: 'scale(0)',
    transition: theme.transitions.create('transform', { duration: theme.transitions.duration.shortest }),
    backgroundColor: theme.vars.palette.primary.contrastText,
    clipPath: 'polygon(14% 47%, 4% 58%, 39% 90%, 97% 24%, 86% 13%, 38% 68%)',
  },
  '&:checked, &:indeterminate': {
    borderColor: theme.vars.palette.primary.main,
    backgroundColor: theme.vars.palette.primary.main,
  },
  '&:checked::before, &:indeterminate::before': { transform: 'scale(1)' },
  '&:indeterminate::before': { clipPath: 'inset(5px 1px)' },
  '&:disabled': { opacity: 0.5, cursor: 'default' },
  // Forced colors remove backgrounds, which would hide the check mark. The browser's own box shows it.
  '@media (forced-colors: active)': { appearance: 'auto' },
}))
