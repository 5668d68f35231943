import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'

/** The buttons of the hero and the footer. */
export const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(3),
  [theme.breakpoints.down(theme.portal.sizes.smallPhone)]: { '& a': { flexGrow: 1 } },
}))

/** On the accent color, the two colors of a button are swapped. */
export const Primary = styled(Button)(({ theme }) => ({
  minWidth: 132,
  color: theme.vars.palette.portal.brand.background,
  backgroundColor: theme.vars.palette.portal.brand.text,
  '&:hover': { backgroundColor: theme.vars.palette.portal.accentSoft, color: theme.vars.palette.text.primary },
  '&:focus-visible, &.Mui-focusVisible': { outlineColor: 'currentcolor', outlineOffset: -6 },
})) as typeof Button

export const Secondary = styled(Button)(({ theme }) => ({
  color: 'inherit',
  borderColor: 'currentcolor',
  backgroundColor: theme.vars.palette.portal.brand.background,
  '&:hover': { backgroundColor: theme.vars.palette.portal.brand.fold },
  '&:focus-visible, &.Mui-focusVisible': { outlineColor: 'currentcolor' },
})) as typeof Button
