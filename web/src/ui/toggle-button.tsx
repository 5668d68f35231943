import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'

/** A button with a state: pressed, or expanded with entries. The text wraps. */
export const ToggleButton = styled(ButtonBase, { shouldForwardProp: (prop) => prop !== 'on' })<{ on: boolean }>(
  ({ theme, on }) => ({
    ...theme.typography.subtitle2,
    gap: theme.spacing(1.5),
    minHeight: theme.portal.sizes.target,
    padding: theme.spacing(1, 3),
    borderRadius: theme.portal.radii.control,
    border: `1px solid ${on ? theme.vars.palette.text.primary : theme.vars.palette.portal.edge}`,
    backgroundColor: on ? theme.vars.palette.portal.accentSoft : theme.vars.palette.background.paper,
    fontVariantNumeric: 'tabular-nums',
    '&:hover': { borderColor: theme.vars.palette.text.primary },
    '&:disabled': { opacity: 0.5 },
    '&[aria-expanded="true"] svg': { transform: 'rotate(180deg)' },
  }),
)
